import { INTERPRETERS } from './interpreters.ts'
import { readOptions } from './options.ts'
import type { Word } from './reading.ts'
import type { Kind } from './row.ts'
import { aliasOf, rowOf } from './rows/index.ts'
import { RUNNERS } from './runners.ts'
import { SHELL_NAMES } from './shells.ts'
import type { ReadingSummary } from './summary.ts'
import { arePlainNames, isSwitchOption } from './unknown.ts'
import { WRAPPERS } from './wrappers.ts'

type Command = ReadingSummary['commands'][number]
type SummaryWord = Command['words'][number]

/** A program and its first words, after which others may follow. */
type Begin = { program: string; words: string[] }

/** The commands of a call by how they begin: what a yes for a session is given to. */
export type WordPattern = Begin[]

// Whatever their rows take may follow: they test, check, build or format the project.
const FREE = new Set(
  [
    'go test,go vet,go build,gofmt,goimports,golangci-lint run',
    'cargo build,cargo check,cargo test,cargo clippy,cargo doc,cargo bench,cargo fmt',
    'bun test,deno lint,deno fmt,dotnet build,dotnet test,swift build,swift test',
    'mix test,mix compile,mix format,zig test,pytest,py.test,jest,vitest,mocha,ava,tsc,vue-tsc',
    'eslint,oxlint,prettier,biome check,biome lint,biome format,biome ci,stylelint,markdownlint,knip',
    'ruff check,ruff format,mypy,pyright,basedpyright,black,isort,flake8,pylint',
    'rspec,rubocop,phpunit,pest,phpstan,git add,git commit',
  ].flatMap((line) => line.split(',')),
)

// Programs that run a script of the project. The number is how many words name the script; the rest go to it.
const SCRIPTS = new Map<string, number>([
  ...pairs('npm test,pnpm test,pnpm build,pnpm lint,pnpm typecheck,pnpm check,pnpm format', 0),
  ...pairs('yarn test,yarn build,yarn lint,yarn typecheck,yarn check,yarn format', 0),
  ...pairs('npm run,pnpm run,yarn run,bun run,deno task,composer run,composer run-script', 1),
])
// Every name among their words is another task.
const TASKS = new Set(['make', 'gmake', 'just', 'task', 'rake'])
// Of Python; `pip` would install what the words name.
const MODULES = new Set(
  'pytest unittest mypy ruff black isort flake8 pylint coverage doctest'.split(' '),
)
// They only limit how long or how hard a program works.
const LIMITERS = new Set('timeout gtimeout time gtime nice ionice stdbuf caffeinate'.split(' '))
const ONLY_TEXT = new Set<Kind>(['text', 'read', 'project', 'goal', 'format', 'date', 'flags'])
const COMMANDS_MAX = 3

function pairs(names: string, count: number): Array<[string, number]> {
  return names.split(',').map((name) => [name, count])
}

/**
 * How the commands of a call begin, without those that only say or read something in the folder;
 * undefined if one of them is not for any words to follow, or if there is more to the call than
 * words. Calls with the same pattern differ only in words that cannot name another program, write a
 * file by an option, or lead out of the folder.
 */
export function patternOf(summary: ReadingSummary, cwd: string): WordPattern | undefined {
  const { open, dangers, commands, wordsOnly } = summary
  if (open.length > 0 || dangers.length > 0 || !wordsOnly) return undefined
  const begins: Begin[] = []
  for (const [at, command] of commands.entries()) {
    if (!(command.places ?? ['/']).every((place) => isInside(place, cwd))) return undefined
    if (LIMITERS.has(command.program) || isHarmless(command, cwd)) continue
    const begin = isStarter(command)
      ? beginOfStarter(command, commands[at + 1], cwd)
      : beginOf(command, cwd)
    if (!begin) return undefined
    begins.push(begin)
  }
  const [first] = begins.length > 0 ? [] : commands.flatMap((one) => beginOfReader(one) ?? [])
  const pattern = onceEach(first ? [first] : begins)
  return pattern.length > 0 && pattern.length <= COMMANDS_MAX ? pattern : undefined
}

/** The pattern for people: `go test …`. */
export function patternWords(pattern: WordPattern): string {
  const isStarted = ({ program }: Begin) =>
    pattern.some((one) => one.words.some((word) => word.split('@', 1)[0] === program))
  return pattern
    .filter((begin) => !isStarted(begin))
    .map(({ program, words }) => [program, ...words, '…'].join(' '))
    .join(' and ')
}

function onceEach(begins: readonly Begin[]): Begin[] {
  return [...new Map(begins.map((begin) => [JSON.stringify(begin), begin])).values()]
}

/** True if it only says or reads something, and what it reads is in the folder. */
function isHarmless(command: Command, cwd: string): boolean {
  const { program, does, touches, words } = command
  if (does !== 'says' && (does !== 'reads' || touches !== 'named')) return false
  const mayStart = [WRAPPERS, RUNNERS, INTERPRETERS].some((table) => Object.hasOwn(table, program))
  // `npm` and the like also have commands of their own that read.
  if (mayStart && (does === 'says' || Object.hasOwn(WRAPPERS, program))) return false
  if (SHELL_NAMES.includes(program)) return false
  if (does === 'says' && program !== 'cd') return true
  const isInside = words.every((word) => word.sure !== 'part' && isInsideWord(word, cwd))
  const { key, count } = subcommands(command)
  return isInside && (!rowOf(key) || takesOnlyText(words.slice(count), key))
}

function isStarter({ program, does }: Command): boolean {
  if (Object.hasOwn(WRAPPERS, program)) return true
  // `python3 -m pytest` is pytest.
  const mayStart = Object.hasOwn(RUNNERS, program) || Object.hasOwn(INTERPRETERS, program)
  return mayStart && does === 'says'
}

/** `npx vitest …`: all words up to those that may differ in the program that is started. */
function beginOfStarter(starter: Command, started: Command | undefined, cwd: string) {
  const inner = started && beginOf(started, cwd)
  if (!inner || !starter.words.every(({ sure, base }) => sure === 'text' && !base)) return undefined
  const own = starter.words.map(({ text }) => text)
  const texts = started.words.map(({ text }) => text)
  const end = own.length - texts.length
  if (end < 1 || texts.some((word, at) => word !== own[end + at])) return undefined
  return { program: starter.program, words: own.slice(0, end + inner.words.length) }
}

/** Of a command that does more than read; undefined if others may not follow its first words. */
function beginOf(command: Command, cwd: string): Begin | undefined {
  const { program, does, words } = command
  const isOwn = does === 'project' || does === 'writes'
  const isKnown = words.every((word) => word.sure !== 'part' && isInsideWord(word, cwd))
  if (!isOwn || !isKnown) return undefined
  if (program.includes('/')) {
    return arePlainNames(words) && !program.startsWith('/')
      ? { program: `./${normal(program)}`, words: [] }
      : undefined
  }
  if (Object.hasOwn(INTERPRETERS, program)) return beginOfFile(command)
  const { key, count } = subcommands(command)
  const names = TASKS.has(key) ? 1 : SCRIPTS.get(key)
  const own = words.slice(0, count + (names ?? 0))
  const rest = words.slice(own.length)
  if (own.length < count + (names ?? 0) || !own.every(isPlain)) return undefined
  const begin = { program, words: own.map(({ text }) => text) }
  if (TASKS.has(key)) return rest.every(isSwitchOption) ? begin : undefined
  if (names !== undefined) return arePlainNames(withoutDashes(rest)) ? begin : undefined
  return FREE.has(key) && takesOnlyText(rest, key) ? begin : undefined
}

/** `python3 x.py …`, `python3 -m pytest …`. */
function beginOfFile({ program, words }: Command): Begin | undefined {
  const count = words[0]?.text === '-m' ? 2 : 1
  const own = words.slice(0, count)
  const isKnown = count === 1 || MODULES.has(own[1]?.text ?? '')
  const isFile =
    isKnown && own.length === count && own.every(({ sure, base }) => sure === 'text' && !base)
  if (!isFile || !arePlainNames(words.slice(count))) return undefined
  return { program, words: own.map(({ text }) => text) }
}

function beginOfReader(command: Command): Begin | undefined {
  if (command.does !== 'reads') return undefined
  const { count } = subcommands(command)
  const words = command.words.slice(0, count)
  return { program: command.program, words: words.map(({ text }) => text) }
}

/** The words of a program that name a row: `go test`. */
function subcommands({ program, words }: Command): { key: string; count: number } {
  let key = program
  let count = 0
  while (rowOf(key)?.hasSubcommands) {
    const word = words[count]
    const next = word && isPlain(word) ? `${key} ${aliasOf(key, word.text)}` : ''
    if (!rowOf(next)) break
    key = next
    count += 1
  }
  return { key, count }
}

function isPlain({ sure, text, base }: SummaryWord): boolean {
  return sure === 'text' && !base && /^[\w@][\w@:./+-]*$/.test(text)
}

/** `npm test -- --watch`: what follows is for the script. */
function withoutDashes(words: readonly SummaryWord[]): SummaryWord[] {
  return words.filter(({ text }, at) => text !== '--' || words[at - 1]?.text === '--')
}

/** By the row, no word is a file that is written, or an option of another program. */
function takesOnlyText(words: readonly SummaryWord[], key: string): boolean {
  const row = rowOf(key)
  if (!row) return false
  if (row.takesAny) return row.does === 'says' || row.does === 'reads'
  const end = words.findIndex(({ sure, text }) => sure === 'text' && text === '--')
  const own = end < 0 ? words : words.slice(0, end)
  const { gap, values, options, operands } = readOptions(own.map(asRead), row)
  if (gap || options.some((name) => row.options.get(name)?.kind === 'write')) return false
  const kinds = operands.map((_, at) => row.operands[Math.min(at, row.operands.length - 1)])
  return (
    values.every(({ kind, word }) => isText(kind) && isNoSetting(word.text)) &&
    kinds.every(isText) &&
    (end < 0 || endsInSwitches(words.slice(end + 1)))
  )
}

function isText(kind: Kind | undefined): boolean {
  return kind !== undefined && ONLY_TEXT.has(kind)
}

/** Neither options of another program nor `xml:FILE`, `trx;LogFileName=FILE`. */
function isNoSetting(text: string): boolean {
  return !text.startsWith('-') && !/^\w+:|;/.test(text)
}

/** `cargo test -- name --nocapture`: no option that a word could be the value of. */
function endsInSwitches(words: readonly SummaryWord[]): boolean {
  const first = words.findIndex(({ text }) => text.startsWith('-'))
  return first < 0 || words.slice(first).every(isSwitchOption)
}

/** Of other words it is only known that they are names or numbers. */
function asRead({ text, sure }: SummaryWord): Word {
  const name = sure === 'text' ? text : text.replace(/^-*/, './')
  return { text: name, sure: 'text', at: [0, 0] }
}

function isInsideWord({ text, base }: SummaryWord, cwd: string): boolean {
  if (base === 'home') return false
  const path = base === 'here' ? text.slice(1) : text
  return !path.includes('://') && path.split(/[=:,]/).every((part) => isInside(part, cwd))
}

/** Returns true if a path, or the value of `-xPATH`, cannot lead out of the folder. */
function isInside(path: string, cwd: string): boolean {
  return [path, path.replace(/^-\w/, '')].every((one) => {
    if (one.startsWith('~') || one.split('/').includes('..')) return false
    return !one.startsWith('/') || one === cwd || one.startsWith(`${cwd}/`)
  })
}

function normal(path: string): string {
  return path
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/')
}
