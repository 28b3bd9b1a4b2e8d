import {
  type CommandPattern,
  type CommandRow,
  compileCommandPattern,
  hasSwitch,
  isDryRun,
} from './pattern.ts'
import type { TableWord } from './words.ts'

const PACKAGE = 'This publishes a package. Others may install it at once, and a version is final.'
const RELEASE = 'This publishes a release that others may download at once.'
const IMAGE = 'This publishes an image or a chart that others may run at once.'
const LIVE = 'This changes what is live.'
const HOSTED = 'This changes or deletes something on the code host, which others see.'

/** Commands that hand something to the public, or to everybody who uses it. */
const PUBLISHING: readonly CommandRow[] = [
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
  ['hf|huggingface-cli|clasp|amplify|cf|dvc ... push|upload', LIVE],
  ['xcrun ... --upload-app|--upload-package', RELEASE],
  ['gh gist create', 'This publishes text on the code host.'],
  ['vercel|now --prod', LIVE],
  ['vercel|netlify|firebase|wrangler|fly|flyctl|railway|sam|serverless|sls|kamal|eb deploy', LIVE],
  ['wrangler publish', LIVE],
  ['gcloud ... deploy', LIVE],
  ['make|gmake|just|task|rake|cap ... deploy|deploy:*|publish|publish:*|release|release:*', LIVE],
  [
    'lerna|nx|turbo|moon|rush|composer|deno ... deploy|deploy:*|publish|publish:*|release|release:*',
    LIVE,
  ],
  [
    'git push --force|--force-with-lease|-f',
    'This overwrites history on the server: commits there may be lost.',
    '-n',
  ],
  ['git push --delete|-d|--mirror|--prune', 'This deletes branches or tags on the server.', '-n'],
]

/** Scripts by common names; their options do not say what they do. */
const SCRIPTS: readonly CommandRow[] = [
  [
    'npm|pnpm|yarn|bun run publish|publish:*|release|release:*',
    'This runs a script that publishes.',
  ],
  ['npm|pnpm|yarn|bun run deploy|deploy:*', 'This runs a script that deploys.'],
  ['npm|pnpm|yarn|bun publish:*|deploy|deploy:*', 'This runs a script that deploys or publishes.'],
]

const MAIL = 'This sends mail.'
const SOCKET = 'This opens a connection that data may leave through.'
const OPENS = 'This opens this machine to the internet.'
const CREDENTIALS = 'This shows a secret.'

/** Commands that let data leave the machine, as far as the command alone shows. */
const OUTWARD: readonly CommandRow[] = [
  ['mail|mailx|sendmail|mutt|msmtp|swaks|ssmtp|neomutt|send-mailmessage', MAIL],
  ['git send-email', MAIL],
  ['nc|ncat|netcat|socat', SOCKET, '-z|-zv|-vz'],
  ['sftp|ftp|lftp|tftp', 'This copies files to or from another machine.'],
  ['ssh -R|-L|-D|-w', SOCKET],
  ['ngrok|localtunnel|lt|bore', OPENS],
  ['cloudflared tunnel', OPENS],
  ['tailscale funnel|serve', OPENS],
  ['security find-generic-password|find-internet-password|dump-keychain|export', CREDENTIALS],
  ['gpg --export-secret-keys|--export-secret-subkeys', CREDENTIALS],
  ['secret-tool lookup|search', CREDENTIALS],
  ['pass show', CREDENTIALS],
  ['op read|item', CREDENTIALS],
  ['vault ... read|get', CREDENTIALS],
  ['aws secretsmanager get-secret-value', CREDENTIALS],
  ['gcloud secrets versions access', CREDENTIALS],
  ['gcloud auth print-access-token|print-identity-token', CREDENTIALS],
  ['az keyvault secret show|download', CREDENTIALS],
  ['kubectl|oc get secret|secrets', CREDENTIALS],
  ['gh|glab auth token', CREDENTIALS],
  ['gh gist|paste', 'This publishes text.'],
  ['transfer|wormhole|croc send', 'This sends files to somebody else.'],
]

const FILES = 'This deletes files without a way back.'
const DISK = 'This overwrites a disk or what is on it.'
const RIGHTS = 'This changes the rights of a whole folder; the old ones are not kept.'
const WORK = 'This throws away work that git keeps nowhere else.'
const HISTORY = 'This rewrites the history of the repository.'
const POWER = 'This stops or restarts the machine.'
const SERVICES = 'This changes the services of the machine.'
const USERS = 'This changes who may use the machine.'
const NETWORK = 'This changes the network rules of the machine.'
const JOBS = 'This changes what the machine runs by itself.'
const MONEY = 'This moves money, which nobody gives back.'

/** Commands that cannot be undone on the machine itself. */
const MACHINE: readonly CommandRow[] = [
  ['rm -r|-R|-f|--recursive|--force', FILES],
  ['xargs ... rm|unlink|shred', FILES],
  ['parallel ... rm|unlink|shred', FILES],
  ['find|fd|fdfind -delete', FILES],
  ['find|fd|fdfind -exec|-execdir|-ok|-x|-X ... rm|shred|unlink', FILES],
  ['rimraf|trash-empty|srm|unlink', FILES],
  ['rsync --delete|--delete-after|--delete-before|--delete-excluded|--remove-source-files', FILES],
  ['remove-item|ri|rd|rmdir|del|erase -recurse|-force|/s|/q', FILES],
  ['shred', 'This overwrites files so that nobody can restore them.'],
  ['truncate -s|--size', 'This cuts a file; what is cut off is lost.'],
  ['dd ... of=*', DISK],
  ['mkfs|mkfs.*|wipefs|mkswap|blkdiscard|sgdisk|diskpart', DISK],
  ['fdisk|parted|sfdisk|cfdisk', DISK, '-l|--list|--dump'],
  ['diskutil erase*|partition*|apfs|zerodisk|randomdisk', DISK],
  ['format-volume|clear-disk', DISK],
  ['zfs|zpool|lvremove|vgremove|pvremove ... destroy', DISK],
  ['lvremove|vgremove|pvremove', DISK],
  ['cryptsetup luksformat|erase|luksremovekey', DISK],
  ['chmod|chown|chgrp -R|--recursive', RIGHTS],
  ['icacls|takeown /t|/r', RIGHTS],
  ['shutdown|reboot|poweroff|halt|stop-computer|restart-computer', POWER, '-c'],
  ['init|telinit 0|6', POWER],
  ['systemctl stop|restart|disable|mask|kill|isolate|start|enable|reload|daemon-reload', SERVICES],
  ['systemctl reboot|poweroff|halt|suspend|hibernate|rescue|emergency', POWER],
  ['service ... stop|start|restart|reload', SERVICES],
  ['launchctl unload|bootout|load|bootstrap|remove|disable', SERVICES],
  ['sc|sc.exe stop|delete|config', SERVICES],
  ['crontab', JOBS, '-l'],
  ['schtasks /create|/delete|/change', JOBS],
  [
    'useradd|adduser|userdel|deluser|usermod|groupadd|groupdel|passwd|chpasswd|visudo|gpasswd',
    USERS,
  ],
  ['iptables|ip6tables|nft|ufw|firewall-cmd', NETWORK, '-L|-S|--list|--list-all|--state'],
  ['sysctl -w|--write|-p', 'This changes settings of the kernel.'],
  ['reg delete|add|import', 'This changes the registry of the machine.'],
  ['vssadmin|wbadmin delete', 'This deletes backups of the machine.'],
  [
    'apt|apt-get|dnf|yum|zypper|pacman|apk remove|purge|autoremove|erase|del',
    'This removes software of the whole machine.',
  ],
  ['kill|pkill -9|-KILL -1', 'This ends every process of the user.'],
  ['git reset --hard|--merge|--keep', WORK],
  ['git clean -f|-d|-x|-X|--force', WORK, '-n|--dry-run|-i'],
  ['git checkout -f|--force|.|./|:/', WORK],
  ['git checkout --', WORK],
  ['git restore', WORK, '--staged|-S'],
  ['git restore --worktree|-W', WORK],
  ['git restore --worktree|-W', WORK],
  ['git switch -f|--force|--discard-changes', WORK],
  ['git stash drop|clear', WORK],
  ['git worktree remove --force|-f', WORK],
  ['git branch -D', 'This deletes a branch with commits that may be nowhere else.'],
  ['git branch -f|--force', 'This deletes or moves a branch; its commits may be nowhere else.'],
  ['git checkout -B', 'This moves a branch; its commits may be nowhere else.'],
  ['git switch -C|--force-create', 'This moves a branch; its commits may be nowhere else.'],
  ['git update-ref -d', HISTORY],
  ['git filter-branch|filter-repo', HISTORY],
  ['git-filter-repo|bfg', HISTORY],
  ['git reflog expire|delete', HISTORY],
  ['git gc --prune', HISTORY],
  ['gpg --delete-secret-keys|--delete-secret-and-public-key', 'This deletes a key.'],
  ['nvme format|sanitize', DISK],
  ['hdparm --security-erase|--security-erase-enhanced', DISK],
  ['mdadm --zero-superblock', DISK],
  ['badblocks -w', DISK],
  ['spctl --master-disable|--global-disable', 'This weakens the protection of the machine.'],
  ['csrutil disable', 'This weakens the protection of the machine.'],
  ['clear-content', 'This cuts a file; what is cut off is lost.'],
  ['nixos-rebuild switch|boot', 'This changes the whole machine.'],
  ['cast send', MONEY],
  ['bitcoin-cli sendtoaddress|sendmany|send', MONEY],
  ['solana|near|gaiad transfer|send', MONEY],
  ['stripe ... create|refund|capture|confirm', MONEY],
]

const CHANGES = 'This changes running infrastructure.'
const DELETES = 'This deletes infrastructure, with what is stored in it.'
const STATE = 'This changes what the tool believes to exist; a mistake there orphans or deletes it.'
const CLUSTER = 'This changes what runs in a cluster.'
const STORAGE = 'This deletes stored files.'
const CONTAINERS = 'This deletes containers, images or volumes, with their data.'
const DATABASE = 'This deletes data of a database.'

/** Commands that change machines, clusters, clouds and databases. */
const INFRASTRUCTURE: readonly CommandRow[] = [
  ['terraform|tofu|terragrunt|pulumi|cdk|cdktf|serverless|sls ... destroy|remove', DELETES],
  ['terraform|tofu|terragrunt ... apply|import|taint|untaint|run-all', CHANGES],
  ['terraform|tofu|terragrunt state rm|mv|push|replace-provider', STATE],
  ['terraform|tofu|terragrunt workspace delete', STATE],
  ['terraform|tofu|terragrunt force-unlock', STATE],
  ['pulumi up|update|refresh|import|cancel', CHANGES],
  ['pulumi stack rm', DELETES],
  ['cdk|cdktf deploy|rollback|import', CHANGES],
  ['sam|fly|flyctl|heroku|railway|eb ... delete|destroy|apps:destroy|terminate|down', DELETES],
  ['kubectl|oc delete|drain', 'This deletes what runs in a cluster, or takes a machine out of it.'],
  [
    'kubectl|oc apply|create|replace|patch|scale|edit|set|label|annotate|taint|cordon|expose',
    CLUSTER,
  ],
  ['kubectl|oc rollout restart|undo|pause|resume', CLUSTER],
  ['helm|helmfile uninstall|delete|destroy', 'This deletes what runs in a cluster.'],
  ['helm|helmfile install|upgrade|rollback|apply|sync', CLUSTER],
  ['argocd app sync|delete|set|rollback', CLUSTER],
  ['flux delete|reconcile|suspend|resume', CLUSTER],
  ['aws s3 rm|rb', STORAGE],
  ['aws s3 sync --delete', STORAGE],
  ['gsutil|rclone|mc|s3cmd|azcopy ... rm|rb|del|delete|purge|remove|rmdir', STORAGE],
  [
    'gsutil|rclone|mc|s3cmd|azcopy ... cp|copy|sync|mirror|put|mv|move',
    'This copies files to or from storage elsewhere.',
  ],
  ['aws|gcloud|az ... delete*|terminate*|remove*|destroy*|purge*|deregister*', DELETES],
  [
    'aws|gcloud|az ... create*|update*|put-*|send-*|change-*|deallocate|modify*|run-*|start*|stop*|reboot*|restart*|attach*|detach*|authorize*|set-*|add-*|resize|scale|invoke|publish|reset*',
    'This changes something in the cloud.',
  ],
  ['aws cloudformation deploy', CHANGES],
  ['aws s3 mv|mb', 'This changes stored files.'],
  ['doctl|linode-cli|hcloud|scw|ibmcloud|oci ... delete|destroy|remove|terminate', DELETES],
  ['vault ... delete|destroy|metadata|write|put', 'This changes or deletes secrets.'],
  [
    'ansible-playbook|ansible',
    'This changes other machines.',
    '--check|-C|--syntax-check|--list-hosts|--list-tasks|--version',
  ],
  ['docker|podman|nerdctl rm|rmi', CONTAINERS],
  ['docker|podman|nerdctl ... prune', CONTAINERS],
  ['docker|podman volume|container|image|network|system|secret|config rm|remove|reset', CONTAINERS],
  ['docker|podman compose down -v|--volumes|--rmi', CONTAINERS],
  ['docker-compose down|rm -v|--volumes|--rmi', CONTAINERS],
  ['docker|podman run|exec --privileged', 'This gives a container the whole machine.'],
  ['docker|podman service|stack|swarm update|scale|deploy|rollback|leave', CLUSTER],
  ['kubectl|oc run|debug', CLUSTER],
  ['nomad job run|stop|revert|scale', CLUSTER],
  ['hcloud ... rebuild|reboot|reset|poweroff|shutdown', CHANGES],
  ['heroku config:set|config:unset|ps:scale|ps:stop|ps:restart|restart|maintenance:*', LIVE],
  ['heroku pg:restore|pg:promote|pg:push|releases:rollback', LIVE],
  ['fly|flyctl secrets|scale set|unset|import|count|vm|memory', LIVE],
  ['railway up', LIVE],
  ['supabase db|secrets push|set|unset', LIVE],
  ['wrangler secret put|bulk', LIVE],
  ['salt|salt-call|chef-client', CHANGES],
  ['puppet apply|agent', CHANGES],
  ['mongorestore --drop', DATABASE],
  ['redis-cli ... del|unlink', DATABASE],
  ['flyway clean', DATABASE],
  ['flyway migrate|undo', 'This changes the tables of a database.'],
  ['alembic upgrade|downgrade', 'This changes the tables of a database.'],
  ['kafka-topics|kafka-topics.sh --delete', DATABASE],
  ['dropdb|dropuser', DATABASE],
  ['redis-cli ... flushall|flushdb', DATABASE],
  ['mysqladmin ... drop', DATABASE],
  ['rails|rake ... db:drop*|db:reset*|db:schema:load', DATABASE],
  ['prisma ... migrate reset', DATABASE],
  ['npx|bunx|pnpm|yarn|npm ... prisma migrate reset', DATABASE],
  ['prisma ... --force-reset|--accept-data-loss', DATABASE],
  ['artisan|php ... migrate:fresh|migrate:reset|db:wipe', DATABASE],
  ['manage.py|python|python3|django-admin ... flush|reset_db', DATABASE],
  ['supabase db reset', DATABASE],
  ['pg_restore --clean|-c', DATABASE],
]

/** A row that is ready to be matched against a command. */
export type DangerRule = {
  why: string
  /** True for the program alone: in a sentence that may be an ordinary word. */
  isBare: boolean
  match: CommandPattern['match']
}

const RULES = new Map<string, DangerRule[]>()
for (const row of [...PUBLISHING, ...INFRASTRUCTURE]) addRow(row, true)
for (const row of [...SCRIPTS, ...MACHINE, ...OUTWARD]) addRow(row, false)

/** The rows about a program. */
export function rulesOf(program: string): readonly DangerRule[] {
  const name = program.startsWith('mkfs.') ? 'mkfs' : program
  return RULES.get(name) ?? []
}

function addRow([command, why, harmlessWith]: CommandRow, mayBeDry: boolean): void {
  const { programs, match } = compileCommandPattern(command)
  const isHarmless = (words: readonly TableWord[]) =>
    (mayBeDry && isDryRun(words)) || (harmlessWith !== undefined && hasSwitch(words, harmlessWith))
  const rule: DangerRule = {
    why,
    isBare: !command.includes(' '),
    match: (words) => {
      const matches = match(words)
      return matches && !isHarmless(words) ? matches : undefined
    },
  }
  for (const program of programs) RULES.set(program, [...(RULES.get(program) ?? []), rule])
}
