import { checkValues } from './check-words.ts'
import { addCommand } from './commands.ts'
import { isRefused, readOptions } from './options.ts'
import type { Word } from './reading.ts'
import { type Row, readRow } from './row.ts'
import { readStarted, type Special, type SpecialCall } from './started.ts'

/**
 * Programs that start another one by name: the words before it, its own options, and whether what
 * runs is elsewhere (a container, another machine), after one operand (its name).
 */
const ROWS = `
npx | | -y -q --yes --no --no-install
bunx | | --bun
pnpx | |
uvx | | -q
npm | exec | -y --yes -w=t --workspace=t --silent -s
npm | x | -y --yes
pnpm | exec | -r --recursive --silent
pnpm | dlx | --silent
yarn | exec |
yarn | dlx | -q
bun | x | --bun
uv | run | -q --quiet --frozen --locked --no-sync --group=t --extra=t --all-extras --dev --python=f -p=f --with=k --no-dev --package=t --directory=f --isolated
poetry | run |
pipenv | run |
pdm | run |
rye | run |
hatch | run |
bundle | exec |
mise | exec |
direnv | exec |
docker | exec | -i -t -d -u=t -w=t -e=t --user=t --workdir=t --env=t --interactive --tty --detach
podman | exec | -i -t -d -u=t -w=t -e=t --user=t --workdir=t --env=t
docker-compose | exec | -T -d -u=t -w=t -e=t --user=t --workdir=t --env=t --index=t
docker-compose | run | -T -d --rm -u=t -w=t -e=t --user=t --workdir=t --env=t --no-deps --name=t
docker | compose exec | -T -i -t -d -u=t -w=t -e=t --user=t --workdir=t --env=t --index=t
docker | compose run | -T -d --rm -u=t -w=t -e=t --user=t --workdir=t --env=t --no-deps --name=t
docker | run | -i -t -d --rm -u=t -w=t -e=t --user=t --workdir=t --env=t --name=t -p=t --publish=t --network=t --platform=t --init --interactive --tty --pull=t
podman | run | -i -t -d --rm -u=t -w=t -e=t --user=t --workdir=t --env=t --name=t -p=t
kubectl | exec | -i -t -n=t -c=t --namespace=t --container=t --context=t --stdin --tty
oc | exec | -i -t -n=t -c=t
ssh | | -t -T -q -v -p=t -l=t -A -C -4 -6 -n -N -f
`

type Runner = { name: string; before: readonly string[]; row: Row; isElsewhere: boolean }

// Runners whose program may come from the network: only a plain name says which program it is.
const FETCH = new Set([
  'npx',
  'bunx',
  'pnpx',
  'uvx',
  'npm exec',
  'npm x',
  'bun x',
  'pnpm dlx',
  'yarn dlx',
])
const ELSEWHERE = new Set('docker podman docker-compose kubectl oc ssh'.split(' '))

const ALL: Runner[] = ROWS.trim()
  .split('\n')
  .map((line) => {
    const [name = '', before = '', options = ''] = line.split('|').map((part) => part.trim())
    return {
      name,
      before: before === '' ? [] : before.split(' '),
      row: readRow(`${name} | says +first | ${options} | t`),
      isElsewhere: ELSEWHERE.has(name),
    }
  })

export const RUNNERS: Record<string, Special> = {}
for (const { name } of ALL) RUNNERS[name] = readRunner

/** False: these words of the program start nothing by name, and its row says what they do. */
function readRunner(one: SpecialCall): boolean {
  const runner = ALL.find(
    ({ name, before }) =>
      name === one.name &&
      before.every((word, at) => one.words[at]?.sure === 'text' && one.words[at]?.text === word),
  )
  if (!runner) return false
  readStartedProgram(runner, one)
  return true
}

function readStartedProgram(runner: Runner, one: SpecialCall): void {
  const { frame, call, state, name } = one
  const parsedOptions = readOptions(one.words.slice(runner.before.length), runner.row)
  addCommand(name, one.words, call, state, frame, {
    does: runner.isElsewhere ? 'machine' : 'says',
    touches: 'named',
  })
  if (isRefused(parsedOptions, frame)) return
  checkValues(parsedOptions, state.places, frame)
  let started: readonly Word[] = parsedOptions.operands
  if (runner.isElsewhere) {
    const [target, ...rest] = started
    if (target && (target.sure === 'part' || target.many)) {
      frame.gap('word', target.at, name)
      return
    }
    const isFreed = rest[0]?.sure === 'text' && rest[0].text === '--'
    started = isFreed ? rest.slice(1) : rest
    if (name === 'ssh' && started.length > 0) {
      readRemoteText(started, one)
      return
    }
    if (started.length === 0 && call.input !== 'own') {
      frame.gap('input', call.at, name)
      return
    }
    if (started.length === 0) {
      runner.before.includes('run') ? undefined : frame.gap('program word', call.at, name)
      return
    }
  }
  if (started.length === 0) {
    frame.gap('program word', call.at, name)
    return
  }
  const fetched = FETCH.has([name, ...runner.before].join(' ')) ? started[0] : undefined
  if (fetched && /[/:]/.test(fetched.text.replace(/^@[\w.-]+\//, ''))) {
    frame.gap('program', fetched.at, fetched.text)
    return
  }
  const input = call.input
  readStarted(stripVersion(started, runner), one, { input, isElsewhere: runner.isElsewhere })
}

/** `npx vitest@3`: the package names the program. */
function stripVersion(words: readonly Word[], { isElsewhere }: Runner): readonly Word[] {
  const [first, ...rest] = words
  if (first?.sure !== 'text' || isElsewhere) return words
  const [, name] = /^([\w.-]+)@[\w.^~-]+$/.exec(first.text) ?? []
  return name ? [{ ...first, text: name }, ...rest] : words
}

/** ssh joins the words, and a shell reads them there. */
function readRemoteText(words: readonly Word[], one: SpecialCall): void {
  const isText = words.every(({ sure, base }) => sure === 'text' && !base)
  if (!isText) {
    one.frame.gap('code', one.call.at, one.name)
    return
  }
  const text = words.map((word) => word.text).join(' ')
  const shell: Word = { text: 'sh', sure: 'text', at: one.first.at }
  const option: Word = { ...shell, text: '-c' }
  readStarted([shell, option, { ...shell, text, at: words[0]?.at ?? one.call.at }], one, {
    isElsewhere: true,
  })
}
