import { bare, hasSwitch, isDryRun } from './pattern.ts'
import type { TableWord } from './words.ts'

const DELETES = 'By its name, this command deletes or resets something.'
const LIVE = 'By its name, this command changes what is live.'
const SCRIPT = 'By its name, this script deploys, publishes or deletes.'

const DELETING =
  /^(delete|del|destroy|remove|rm|drop|purge|erase|wipe|undefine|uninstall|terminate|prune|forget|flush|reset|teardown|nuke|obliterate)$|^(delete|destroy|remove|drop|purge|erase|wipe)[-:_]\w|\w[-:.](delete|destroy|remove|drop|purge|wipe|reset)$/
const DEPLOYING =
  /^(deploy|promote|rollback)$|^(deploy|promote|rollback)[-:]\w|\w:(deploy|promote|rollback)$/
// Later words are rather names of things than of what is done.
const DELETING_WORDS = 4
const DEPLOYING_WORDS = 2

// Programs whose words are paths, texts or packages of a project, or that have rows of their own for
// each thing they delete.
const ORDINARY = new Set(
  `git go pip pip3 pipx dotnet composer gem nvm fnm pyenv rbenv asdf mise volta
  rm rmdir cd ls cat less more head tail vi vim nvim nano emacs code mkdir touch cp mv ln stat file wc sort diff cmp test [
  jq yq sed awk tr cut tput export set alias true false seq sleep date
  eslint prettier biome oxlint tsc ruff black flake8 mypy pytest jest vitest mocha tox`.split(
    /\s+/,
  ),
)
const PACKAGES = new Set('npm pnpm yarn bun cargo uv poetry pdm conda mamba deno bundle'.split(' '))
const CONTAINERS = new Set(['docker', 'podman', 'nerdctl'])
const RUNNERS = new Set('sh bash zsh dash ksh fish pwsh python python3 node ruby perl'.split(' '))

/**
 * Why the words of a command themselves say that it needs a second look, for programs that no row
 * of the table knows: `heroku pg:reset`, `virsh undefine`, `./deploy.sh`.
 */
export function whyByName(
  program: string,
  [first, ...rest]: readonly TableWord[],
): { why: string; parts: TableWord[] } | undefined {
  if (!first || isDryRun(rest) || hasSwitch(rest, '--help')) return undefined
  const script = scriptOf(program, first, rest)
  if (script) return { why: SCRIPT, parts: [script] }
  const words = rest.filter(({ text }) => !/^[-+/]/.test(text))
  if (isOrdinary(program, words[0])) return undefined
  const find = (verb: RegExp, count: number) =>
    words.slice(0, count).find((word) => verb.test(bare(word).toLowerCase()))
  const deletes = find(DELETING, DELETING_WORDS)
  if (deletes) return { why: DELETES, parts: [deletes] }
  const deploys = find(DEPLOYING, DEPLOYING_WORDS)
  return deploys ? { why: LIVE, parts: [deploys] } : undefined
}

function isOrdinary(program: string, first: TableWord | undefined): boolean {
  if (ORDINARY.has(program) || RUNNERS.has(program)) return true
  const verb = first === undefined ? '' : bare(first)
  if (PACKAGES.has(program)) return !/^(run|exec|x|dlx|task)$/.test(verb)
  // `aws deploy` is the name of a service, which has rows.
  if (program === 'aws') return true
  return CONTAINERS.has(program) && /^(run|exec|build|buildx|create|logs)$/.test(verb)
}

const SCRIPT_FILE = /\.(sh|bash|zsh|py|js|mjs|cjs|ts|rb|pl|ps1|cmd|bat)$/i
const SCRIPT_NAME =
  /(^|[-_.])(deploy|publish|release|destroy|teardown|wipe|purge|rollback|uninstall|drop|reset)([-_.]|$)/i

/** The script that is run, if its name says that it does something of that kind. */
function scriptOf(
  program: string,
  first: TableWord,
  rest: readonly TableWord[],
): TableWord | undefined {
  const isRunner = RUNNERS.has(program)
  const file = isRunner ? rest.find(({ text }) => !/^[-+]/.test(text)) : first
  if (!file || !(SCRIPT_FILE.test(file.text) || (!isRunner && file.text.includes('/')))) {
    return undefined
  }
  return SCRIPT_NAME.test(file.text.slice(file.text.lastIndexOf('/') + 1)) ? file : undefined
}
