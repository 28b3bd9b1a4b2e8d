import type { FolderState } from '../catalog/preview.ts'
import { VERSION } from '../platform/config/version.ts'
import { WrongUsage } from '../platform/config/wrong-usage.ts'
import { storageFailure } from '../platform/db/storage-failure.ts'
import { Failure } from '../platform/failure.ts'
import { type Command, EXIT, type Starters } from '../platform/terminal/command.ts'
import { noteError, say } from '../platform/terminal/terminal.ts'
import { COMMANDS, findCommand } from './commands.ts'

/** Runs the command that `argv` names; resolves to the exit code, never throws. */
export async function run(argv: string[], starters: Starters<FolderState>): Promise<number> {
  const [name, ...args] = argv
  if (name === undefined || name === 'help' || isHelp(name)) return show(programHelp(COMMANDS))
  if (name === '--version' || name === '-v') return show(`beckon ${VERSION}`)

  const command = findCommand(name)
  if (!command) {
    noteError(`"${name}" is not a command of beckon; beckon --help lists them.`)
    return EXIT.wrongUsage
  }
  if (beforeDashes(args).some(isHelp)) {
    return show(commandHelp(oneWay(command, args[0])))
  }
  try {
    const start = await command.load()
    return await start(args, starters)
  } catch (error) {
    return explain(error, name)
  }
}

function show(text: string): number {
  say(text)
  return EXIT.done
}

function explain(thrown: unknown, name: string): number {
  const error = storageFailure(thrown)
  if (error instanceof WrongUsage) {
    noteError(`${error.message} See: beckon ${name} --help`)
    return EXIT.wrongUsage
  }
  if (error instanceof Failure) {
    noteError(error.message)
    return error.code === 'invalid_input' ? EXIT.wrongUsage : EXIT.failed
  }
  noteError(`This is a bug in beckon ${VERSION}: ${error instanceof Error ? error.stack : error}`)
  return EXIT.failed
}

function beforeDashes(args: string[]): string[] {
  const dashes = args.indexOf('--')
  return dashes < 0 ? args : args.slice(0, dashes)
}

function isHelp(arg: string): boolean {
  return arg === '--help' || arg === '-h'
}

/** The help of the whole program: every command in one line. */
function programHelp(commands: readonly Command[]): string {
  return [
    'Beckon: agents beckon, people answer.',
    '',
    'Usage: beckon COMMAND [OPTIONS]',
    '',
    ...columns(commands.map(({ name, summary }) => [name, summary])),
    '',
    'beckon COMMAND --help explains a command; beckon --version says which version this is.',
  ].join('\n')
}

/** The help of one command, with an example that works. */
function commandHelp({ name, summary, usage, options, example }: Command): string {
  return [
    `beckon ${name}: ${summary}`,
    '',
    ...usage.map((line, i) => `${i === 0 ? 'Usage:' : '      '} beckon ${line}`),
    ...(options ? ['', 'Options:', ...columns(options)] : []),
    '',
    'Example:',
    `  ${example}`,
  ].join('\n')
}

/**
 * The help of one subcommand, such as `catalog import`: its usage, its example, the options that
 * name it before their colon, and the options in its usage that name no subcommand.
 */
function oneWay(command: Command, way: string | undefined): Command {
  const { name, usage, options = [], examples = {} } = command
  const example = way !== undefined && Object.hasOwn(examples, way) ? examples[way] : undefined
  if (example === undefined) return command
  const lines = usage.filter((line) => `${line} `.startsWith(`${name} ${way} `))
  const own = options.flatMap(([option, meaning]) => {
    const [prefix, ways = ''] = /^([a-z]+(?:, [a-z]+)*): /.exec(meaning) ?? []
    return prefix && ways.split(', ').includes(String(way))
      ? [[option, meaning.slice(prefix.length)] as const]
      : []
  })
  const names = new Set(own.map(([option]) => option))
  const shared = options.filter(([option, meaning]) => {
    if (names.has(option) || /^[a-z]+(, [a-z]+)*: /.test(meaning)) return false
    const isPart = /^(-|[A-Z])/.test(option) && option !== '--data FOLDER'
    return !isPart || lines.some((line) => line.split(/[\s[\]]+/).includes(option))
  })
  return { ...command, usage: lines, options: [...own, ...shared], example }
}

function columns(rows: ReadonlyArray<readonly [string, string]>): string[] {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`)
}
