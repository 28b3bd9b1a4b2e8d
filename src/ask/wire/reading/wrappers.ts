import { checkValues } from './check-words.ts'
import { addCommand } from './commands.ts'
import { isRefused, readOptions } from './options.ts'
import { type Row, readRow } from './row.ts'
import { readStarted, type Special, type SpecialCall } from './started.ts'
import { isKnownVariable } from './variables.ts'

/** The words of a wrapper before the command: its options, then so many operands of its own. */
const ROWS = `
sudo | 0 | -u=t -g=t -n -E -H -b -k -S -i -s -A -P -p=t --user=t --group=t --non-interactive --preserve-env --stdin
doas | 0 | -u=t -n
nice | 0 | -n=t --adjustment=t
ionice | 0 | -c=t -n=t -t
nohup | 0 |
setsid | 0 | -c -f -w --wait --fork --ctty
stdbuf | 0 | -i=t -o=t -e=t --input=t --output=t --error=t
timeout | 1 | -k=t -s=t -v --kill-after=t --signal=t --preserve-status --foreground --verbose
gtimeout | 1 | -k=t -s=t --kill-after=t --signal=t --preserve-status --foreground
time | 0 | -p -v -l -f=t --format=t --verbose
gtime | 0 | -p -v -f=t
caffeinate | 0 | -d -i -m -s -u -t=t
chronic | 0 | -v -e
unbuffer | 0 | -p
gosu | 1 |
su-exec | 1 |
setarch | 1 | -R -v
taskset | 1 | -c
chrt | 1 | -i -f -b -o -r
prlimit | 0 | --nofile=t --nproc=t --cpu=t --as=t
fakeroot | 0 |
pkexec | 0 | --user=t
dotenv | 0 | -e=f -o
cross-env | 0 |
cross-env-shell | 0 |
xvfb-run | 0 | -a --auto-servernum
rlwrap | 0 |
catchsegv | 0 |
strace | 0 | -f -ff -c -C -q -v -e=t -o=w -s=t -tt -t -T -y
ltrace | 0 | -f -c -e=t -o=w
nyc | 0 | -r=t -s --reporter=t --all --silent --check-coverage --lines=t --branches=t --functions=t --statements=t --include=t -n=t --exclude=t -x=t
c8 | 0 | -r=t --reporter=t --all --check-coverage --lines=t --branches=t --functions=t --statements=t --include=t -n=t --exclude=t -x=t --src=t
`

/** Programs that only start another one, in the same place. */
export const WRAPPERS: Record<string, Special> = { env: readEnv }
for (const line of ROWS.trim().split('\n')) {
  const [name = '', count = '0', options = ''] = line.split('|').map((part) => part.trim())
  const row = readRow(`${name} | says +first | ${options} | t`)
  WRAPPERS[name] = (call) => readWrapper(call, row, Number(count))
}

function readWrapper(one: SpecialCall, row: Row, own: number): void {
  const { name, words, call, frame } = one
  const parsedOptions = readOptions(words, row)
  if (isRefused(parsedOptions, frame)) return
  checkValues(parsedOptions, one.state.places, frame)
  for (const { kind, word } of parsedOptions.values) {
    if (kind === 'write') frame.gap('target', word.at, word.text)
  }
  const before = parsedOptions.operands.slice(0, own)
  if (before.some(({ sure, many }) => sure === 'part' || many)) {
    frame.gap('word', call.at, name)
    return
  }
  addCommand(name, words, call, one.state, frame, { does: 'says', touches: 'named' })
  const started = settings(parsedOptions.operands.slice(own), one)
  if (started.length === 0) {
    const isShell = parsedOptions.options.some((option) => option === '-i' || option === '-s')
    if (isShell) frame.gap('program word', call.at, name)
    return
  }
  if (
    parsedOptions.options.includes('-i') ||
    (name === 'sudo' && parsedOptions.options.includes('-s'))
  ) {
    frame.gap('code', call.at, name)
    return
  }
  readStarted(started, one)
}

/** `sudo X=1 program`: settings before the program. */
function settings(words: SpecialCall['words'], { name, frame }: SpecialCall) {
  const takes = /^(sudo|doas|cross-env|cross-env-shell|env)$/.test(name)
  const at = words.findIndex((word) => !/^[A-Za-z_]\w*=/.test(certainText(word)))
  const count = takes ? (at < 0 ? words.length : at) : 0
  for (const word of words.slice(0, count)) {
    const variable = certainText(word).split('=')[0] ?? ''
    if (!isKnownVariable(variable) || word.many) frame.gap('variable', word.at, variable)
  }
  return words.slice(count)
}

function certainText({ sure, text, prefix }: SpecialCall['words'][number]): string {
  return sure === 'text' ? text : (prefix ?? '')
}

const ENV_ROW = readRow('env | says +first | -i -u=t -0 -v --ignore-environment --unset=t | t')

function readEnv(one: SpecialCall): void {
  const { words, call, state, frame } = one
  const parsedOptions = readOptions(words, ENV_ROW)
  if (isRefused(parsedOptions, frame)) return
  addCommand('env', words, call, state, frame, { does: 'reads', touches: 'named' })
  const started = settings(parsedOptions.operands, one)
  if (started.length > 0) readStarted(started, one)
}
