import type { FolderState } from '../catalog/preview.ts'
import { EXIT, type Starters } from '../platform/command.ts'
import { WrongUsage } from '../platform/failure.ts'
import { VERSION } from '../platform/program.ts'
import { say, terminalWidth } from '../platform/terminal/terminal.ts'
import { COMMANDS, findCommand, unknownCommand } from './commands.ts'
import { commandHelp, oneWay, programHelp } from './help.ts'
import { refuseForAgents } from './only-people.ts'
import { reportError } from './report-error.ts'

/** Runs the command that `argv` names; resolves to the exit code, never throws. */
export async function run(argv: string[], starters: Starters<FolderState>): Promise<number> {
  const [name, ...args] = argv
  if (name === undefined || isHelp(name)) return show(programHelp(COMMANDS, terminalWidth()))
  if (name === '--version' || name === '-v') return show(`beckon ${VERSION}`)

  const command = findCommand(name)
  if (!command) return reportError(new WrongUsage(unknownCommand(name)), '', args)
  if (beforeDashes(args).some(isHelp)) {
    return show(commandHelp(oneWay(command, args[0]), terminalWidth()))
  }
  try {
    await refuseForAgents(name, args)
    const start = await command.load()
    return await start(args, starters)
  } catch (error) {
    return reportError(error, name, args)
  }
}

function show(text: string): number {
  say(text)
  return EXIT.done
}

function beforeDashes(args: string[]): string[] {
  const dashes = args.indexOf('--')
  return dashes < 0 ? args : args.slice(0, dashes)
}

function isHelp(arg: string): boolean {
  return arg === '--help' || arg === '-h'
}
