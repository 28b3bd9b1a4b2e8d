import type { Environment } from '../../platform/config/env.ts'
import { DRAIN_MAX } from '../../platform/config/server-settings.ts'

/** The owner of a service: one user, or the whole machine. */
export type ServiceOwner = 'user' | 'system'

/** The result of a system program; `code` is undefined if there is no such program. */
export type Ran = { code: number | undefined; out: string; err: string }

/** The machine that a service is installed on. */
export type Machine = {
  platform: NodeJS.Platform
  env: Environment
  home: string
  /** Undefined on Windows. */
  uid: number | undefined
  user: string
  /** The folder that relative paths are relative to. */
  cwd: string
  /** The words that start this program. Throws `Failure` if they would not stay valid. */
  program(): readonly string[]
  /** Runs a system program to its end. `env` is added to its environment. */
  run(words: readonly string[], env?: Record<string, string>): Promise<Ran>
  /** Runs a program whose output is for the person, and resolves to its exit code. */
  show(words: readonly string[]): Promise<number>
  /** How many milliseconds a started server has to become ready. */
  readyMs: number
}

/** The paths of the parts of a service; absolute. */
export type ServicePlace = {
  owner: ServiceOwner
  /** The file that the service manager reads. */
  file: string
  /** The data folder, unless another is named. */
  dataFolder: string
  /** A file with lines `BECKON_…=value`, which the service manager passes to the server. */
  settingsFile?: string
  /** The file for the server's output, if it does not go to the system's journal. */
  logFile?: string
}

/** The content of the file for every service manager, each in its own format. */
export type ServiceFacts = {
  place: ServicePlace
  /** The words that start Beckon. */
  program: readonly string[]
  /** Options of `serve`, without `--data`. */
  options: readonly string[]
  dataFolder: string
  /** The person it runs for, if the format names them. */
  user: string
}

/** One call of the service manager. */
export type ServiceStep = {
  words: readonly string[]
  /** The action of the call, as in "could not …". */
  does: string
  /** The command that undoes it. */
  undo?: string
  /** If it fails, there was nothing to do. */
  mayFail?: true
  /** How often it is tried, a second apart; once if not given. */
  tries?: number
}

/** The state of the service, from the service manager. */
export type ServiceState = {
  /** The file it has read; undefined if it knows no such service. */
  file: string | undefined
  /** True if the manager starts the service automatically. */
  isEnabled: boolean
  isRunning: boolean
  pid: number | undefined
  /** Since when the server runs, in milliseconds since 1970. */
  since: number | undefined
}

/**
 * A service manager. Adding one is a file and a line in `managers.ts`. It only renders files, reads
 * them and names commands; `install.ts` and the others run those.
 */
export type ServiceManager = {
  /** The usual name. */
  title: string
  platform: NodeJS.Platform
  /** The owners whose services the manager can run. */
  owners: readonly ServiceOwner[]
  place(machine: Machine, owner: ServiceOwner): ServicePlace
  /** Why it cannot be used here and what to do instead, in a sentence. */
  obstacle(machine: Machine, owner: ServiceOwner): Promise<string | undefined>
  /** Why it cannot run this service, in a sentence. */
  refusal?(facts: ServiceFacts): string | undefined
  /** The file, without its mark. Throws `WrongUsage` for text that the file cannot contain. */
  render(facts: ServiceFacts): string
  /** The mark as a comment, and the line of the file (from 0) for it. */
  mark: { line: number; comment(text: string): string }
  /** The bytes of the file; UTF-8 if not given. */
  encode?(text: string): Uint8Array
  decode?(bytes: Uint8Array): string
  /** The words that the file starts; undefined if it does not name them. */
  commandOf(text: string): string[] | undefined
  state(machine: Machine, place: ServicePlace): Promise<ServiceState>
  /** `before`: the state until now; `isNew`: the file has just been written. */
  toStart(
    machine: Machine,
    place: ServicePlace,
    before: ServiceState,
    isNew: boolean,
  ): ServiceStep[]
  toRestart(machine: Machine, place: ServicePlace): ServiceStep[]
  /** Stops the service and disables its automatic start. */
  toStop(machine: Machine, place: ServicePlace): ServiceStep[]
  /** Runs once the file is gone. */
  toForget(machine: Machine, place: ServicePlace): ServiceStep[]
  /** The command that shows its log, if that is not a file. */
  logWords?(place: ServicePlace, show: { lines: number; follow: boolean }): string[]
  /** Advises if the service would stop although its owner wants it to go on, in a sentence. */
  staysUp?(machine: Machine, owner: ServiceOwner): Promise<string | undefined>
}

/** The name of the service in every service manager. */
export const SERVICE_NAME = 'beckon'
export const DESCRIPTION = 'Beckon: agents beckon, people answer'
/**
 * At a stop, waits end as pending, and requests under way are finished or kept: less than 10
 * seconds, after those of `BECKON_DRAIN_SECONDS`.
 */
export const STOP_SECONDS = DRAIN_MAX + 20
/** The pause between a failure and the next start. */
export const RESTART_SECONDS = 2
/**
 * A database that is away for minutes is waited for; what fails so often within an hour never starts.
 */
export const FAILURES_MOST = 100
export const FAILURES_WITHIN_SECONDS = 3_600
/** Each connection takes a file descriptor. */
export const OPEN_FILES = 65_536

/** The full command line of the service. */
export function serviceWords({ program, options, dataFolder }: ServiceFacts): string[] {
  return [...program, 'serve', '--data', dataFolder, ...options]
}

/** As `serviceWords`, through `beckon service run`, which writes the log and restarts the server. */
export function supervisorWords(facts: ServiceFacts): string[] {
  const [, ...serve] = serviceWords(facts).slice(facts.program.length)
  return [...facts.program, 'service', 'run', '--log', facts.place.logFile ?? '', '--', ...serve]
}

/** The words of `serviceWords` in those of `supervisorWords`; undefined if they are others. */
export function serveWordsIn(words: readonly string[]): string[] | undefined {
  const run = words.indexOf('service')
  const dashes = words.indexOf('--', run)
  if (run < 0 || dashes < 0 || words[run + 1] !== 'run') return undefined
  return [...words.slice(0, run), 'serve', ...words.slice(dashes + 1)]
}

/**
 * Returns true if `text` may be written to a file of a service manager: one line, no control
 * characters.
 */
export function isOneLine(text: string): boolean {
  return !/[\p{Cc}\u2028\u2029]/u.test(text) && text.isWellFormed()
}
