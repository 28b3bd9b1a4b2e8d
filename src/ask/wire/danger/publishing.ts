import type { CommandRow } from './rows.ts'

const PACKAGE = 'This publishes a package. Others may install it at once, and a version is final.'
const RELEASE = 'This publishes a release that others may download at once.'
const IMAGE = 'This publishes an image or a chart that others may run at once.'
const LIVE = 'This changes what is live.'
const HOSTED = 'This changes or deletes something on the code host, which others see.'

/** What hands something to the public, or to whoever uses it. */
export const PUBLISHING: readonly CommandRow[] = [
  ['npm|pnpm|yarn|bun|jsr|deno|cargo|poetry|uv|pdm|flit|hatch|lerna|vsce|ovsx publish', PACKAGE],
  ['npx|bunx|pnpx ... publish', PACKAGE],
  ['npm|pnpm|yarn npm publish', PACKAGE],
  ['npm|pnpm|yarn unpublish|deprecate|dist-tag|owner|access', 'This changes a published package.'],
  ['changeset|changesets|rush publish', PACKAGE],
  ['nx release', PACKAGE],
  ['semantic-release', PACKAGE],
  ['release-it', PACKAGE],
  ['cargo yank|owner', 'This changes a published package.'],
  ['cargo release', PACKAGE],
  ['twine|cabal|stack|luarocks upload', PACKAGE],
  ['anaconda|conda upload', PACKAGE],
  ['python|python3|py ... twine|flit|hatch|poetry ... upload|publish', PACKAGE],
  ['setup.py ... upload', PACKAGE],
  ['gem push|yank', PACKAGE],
  ['rake ... release', PACKAGE],
  ['mvn|mvnw ... deploy|deploy:*|release:*', PACKAGE],
  ['gradle|gradlew|sbt ... publish*|uploadarchives', PACKAGE],
  ['dotnet nuget push', PACKAGE],
  ['nuget push|delete', PACKAGE],
  ['pod trunk push|delete|deprecate', PACKAGE],
  ['dart|flutter pub publish', PACKAGE],
  ['mix hex.publish|hex.retire', PACKAGE],
  ['snapcraft upload|release|push', PACKAGE],
  ['goreleaser release', RELEASE],
  ['fastlane ... deliver|release|pilot|supply|upload*', RELEASE],
  ['eas submit|update', RELEASE],
  ['docker|podman|buildah|nerdctl|oras|crane|skopeo push|copy', IMAGE],
  ['docker|podman image|manifest push', IMAGE],
  ['docker|podman buildx|build ... --push', IMAGE],
  ['docker|podman compose push', IMAGE],
  ['helm push', IMAGE],
  ['gh|glab release create|upload|edit|delete', RELEASE],
  ['gh|glab repo|project delete|archive|rename|transfer', HOSTED],
  ['gh|glab repo create|edit --public|--visibility', 'This makes a repository public.'],
  ['gh|glab pr|mr merge', 'This merges on the code host, which others build on at once.'],
  ['gh|glab secret|variable|ssh-key|gpg-key|deploy-key set|delete|add|remove', HOSTED],
  ['gh workflow run', 'This starts a workflow on the code host, which may deploy.'],
  ['gh|glab api -X|--method|-f|-F|--field|--raw-field|--input', HOSTED],
  ['gh gist create', 'This publishes text on the code host.'],
  ['vercel|now --prod', LIVE],
  ['vercel|netlify|firebase|wrangler|fly|flyctl|railway|sam|serverless|sls|kamal|eb deploy', LIVE],
  ['wrangler publish', LIVE],
  ['gcloud ... deploy', LIVE],
  ['make|just|task|rake|cap ... deploy|deploy:*|publish|publish:*', LIVE],
  [
    'git push --force|--force-with-lease|-f',
    'This overwrites history on the server: commits there may be lost.',
    '-n',
  ],
  ['git push --delete|-d|--mirror|--prune', 'This deletes branches or tags on the server.', '-n'],
]

/** Scripts by the names that people give them; an option of theirs says nothing of what they do. */
export const SCRIPTS: readonly CommandRow[] = [
  [
    'npm|pnpm|yarn|bun run publish|publish:*|release|release:*',
    'This runs a script that publishes.',
  ],
  ['npm|pnpm|yarn|bun run deploy|deploy:*', 'This runs a script that deploys.'],
  ['npm|pnpm|yarn|bun publish:*|deploy|deploy:*', 'This runs a script that deploys or publishes.'],
]
