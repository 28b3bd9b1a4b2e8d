import { EXIT } from '../platform/command.ts'
import { storageFailure } from '../platform/db/storage-failure.ts'
import { Failure, type WrongField, WrongUsage } from '../platform/failure.ts'
import { VERSION } from '../platform/program.ts'
import { EndsWith } from '../platform/terminal/ends-with.ts'
import { Interrupted } from '../platform/terminal/interrupted.ts'
import { noteError, say } from '../platform/terminal/terminal.ts'

type ErrorReport = {
  exitCode: number
  error: { code: string; message: string; fields?: WrongField[]; retryAfter?: number }
}

/**
 * Prints on standard error what the command `name` threw; with `--json` among its arguments also as
 * the JSON object of standard output. Returns the exit code for it.
 */
export function reportError(thrown: unknown, name: string, args: readonly string[]): number {
  const { exitCode, error } = errorReport(thrown, name)
  if (exitCode !== EXIT.interrupted) noteError(error.message)
  if (!wantsJson(args)) return exitCode
  try {
    say(JSON.stringify({ error, exitCode }))
  } catch (lost) {
    // Standard error has the reason already, and there is no other place for this.
    if (!(lost instanceof Failure)) throw lost
  }
  return exitCode
}

/** Whether the result is wanted as JSON; what follows `--` is of another program. */
function wantsJson(args: readonly string[]): boolean {
  const dashes = args.indexOf('--')
  return args.slice(0, dashes < 0 ? args.length : dashes).includes('--json')
}

function errorReport(thrown: unknown, name: string): ErrorReport {
  if (thrown instanceof EndsWith) {
    return { ...errorReport(thrown.cause, name), exitCode: thrown.exitCode }
  }
  if (thrown instanceof Interrupted) {
    return { exitCode: EXIT.interrupted, error: { code: 'interrupted', message: 'Ctrl-C.' } }
  }
  const error = storageFailure(thrown)
  if (error instanceof WrongUsage) {
    const message = name === '' ? error.message : `${error.message} See: beckon ${name} --help`
    return { exitCode: EXIT.wrongUsage, error: { code: 'wrong_usage', message } }
  }
  if (error instanceof Failure) {
    const { code, message, fields, retryAfter } = error
    return {
      exitCode: code === 'invalid_input' ? EXIT.wrongUsage : EXIT.failed,
      error: {
        code,
        message,
        ...(fields.length > 0 ? { fields } : {}),
        ...(retryAfter === undefined ? {} : { retryAfter }),
      },
    }
  }
  // A file that cannot be parsed is an error without a stack.
  const where = error instanceof Error ? (error.stack ?? Bun.inspect(error)) : error
  const message = `This is a bug in beckon ${VERSION}: ${where}`
  return { exitCode: EXIT.failed, error: { code: 'internal', message } }
}
