import type { FolderState } from '../catalog/preview.ts'
import { storageFailure } from '../platform/db/storage-failure.ts'
import { Failure, WrongUsage } from '../platform/failure.ts'
import { VERSION } from '../platform/program.ts'
import { EXIT, type Starters } from '../platform/terminal/command.ts'
import { Interrupted } from '../platform/terminal/interrupted.ts'
import { noteError, say, terminalWidth } from '../platform/terminal/terminal.ts'
import { COMMANDS, findCommand, unknownCommand } from './commands.ts'
import { commandHelp, oneWay, programHelp } from './help.ts'
import { refuseForAgents } from './only-people.ts'

/** Runs the command that `argv` names; resolves to the exit code, never throws. */
export async function run(argv: string[], starters: Starters<FolderState>): Promise<number> {
  const [name, ...args] = argv
  if (name === undefined || isHelp(name)) return show(programHelp(COMMANDS, terminalWidth()))
  if (name === '--version' || name === '-v') return show(`beckon ${VERSION}`)

  const command = findCommand(name)
  if (!command) {
    noteError(unknownCommand(name))
    return EXIT.wrongUsage
  }
  if (beforeDashes(args).some(isHelp)) {
    return show(commandHelp(oneWay(command, args[0]), terminalWidth()))
  }
  try {
    await refuseForAgents(name, args)
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

/** Prints on standard error what the command `name` threw; returns the exit code for it. */
export function explain(thrown: unknown, name: string): number {
  if (thrown instanceof Interrupted) return EXIT.interrupted
  const error = storageFailure(thrown)
  if (error instanceof WrongUsage) {
    noteError(`${error.message} See: beckon ${name} --help`)
    return EXIT.wrongUsage
  }
  if (error instanceof Failure) {
    noteError(error.message)
    return error.code === 'invalid_input' ? EXIT.wrongUsage : EXIT.failed
  }
  // A file that cannot be parsed is an error without a stack.
  const where = error instanceof Error ? (error.stack ?? Bun.inspect(error)) : error
  noteError(`This is a bug in beckon ${VERSION}: ${where}`)
  return EXIT.failed
}

function beforeDashes(args: string[]): string[] {
  const dashes = args.indexOf('--')
  return dashes < 0 ? args : args.slice(0, dashes)
}

function isHelp(arg: string): boolean {
  return arg === '--help' || arg === '-h'
}
