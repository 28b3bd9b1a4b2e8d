import type { Environment } from '../../platform/config/env.ts'

/** Whose service it is: of one user, or of the whole machine. */
export type ServiceOwner = 'user' | 'system'

/** What a program of the system said; `code` is undefined when there is no such program. */
export type Ran = { code: number | undefined; out: string; err: string }

/** The machine that a service is installed on. */
export type Machine = {
  platform: NodeJS.Platform
  env: Environment
  home: string
  /** Undefined on Windows. */
  uid: number | undefined
  user: string
  /** The folder that relative paths are meant in. */
  cwd: string
  /** The words that start this program. Throws `Failure` where they would not last. */
  program(): readonly string[]
  /** Runs a program of the system to its end. `env` is added to its environment. */
  run(words: readonly string[], env?: Record<string, string>): Promise<Ran>
  /** Runs one whose output is for the person, and resolves to its exit code. */
  show(words: readonly string[]): Promise<number>
  /** Milliseconds that a started server has until it is ready. */
  readyMs: number
}

/** Where the parts of a service are. Absolute paths. */
export type ServicePlace = {
  owner: ServiceOwner
  /** What the service manager reads. */
  file: string
  /** Where the data folder is unless another is named. */
  dataFolder: string
  /** Lines of `BECKON_…=value` that the service manager hands to the server. */
  settingsFile?: string
  /** Where the output of the server goes, if not to the journal of the system. */
  logFile?: string
}

/** What the file of every service manager says, in its own format. */
export type ServiceFacts = {
  place: ServicePlace
  /** The words that start Beckon. */
  program: readonly string[]
  /** Options of `serve`, without `--data`. */
  options: readonly string[]
  dataFolder: string
  /** The person it runs for, where the format names them. */
  user: string
}

/** One call of the service manager. */
export type Step = {
  words: readonly string[]
  /** What it does, as in "could not …". */
  does: string
  /** The command that takes it back. */
  undo?: string
  /** Failing means that there was nothing to do. */
  mayFail?: true
  /** How often it is tried, a second apart; once without it. */
  tries?: number
}

/** What the service manager knows of the service. */
export type ServiceState = {
  /** The file it has read; undefined when it knows no such service. */
  file: string | undefined
  /** Whether it starts the service by itself. */
  isEnabled: boolean
  isRunning: boolean
  pid: number | undefined
  /** Since when the server runs, in milliseconds since 1970. */
  since: number | undefined
}

/**
 * A service manager. Adding one is a file and a line in `managers.ts`; it only renders, reads and
 * names commands, `install.ts` and the others do.
 */
export type ServiceManager = {
  /** As people call it. */
  title: string
  platform: NodeJS.Platform
  /** Whose services it runs. */
  owners: readonly ServiceOwner[]
  place(machine: Machine, owner: ServiceOwner): ServicePlace
  /** Why it cannot be used here and what to do instead, in a sentence. */
  obstacle(machine: Machine, owner: ServiceOwner): Promise<string | undefined>
  /** Why it cannot run this service, in a sentence. */
  refusal?(facts: ServiceFacts): string | undefined
  /** The file, without its mark. Throws `WrongUsage` for text that it cannot hold. */
  render(facts: ServiceFacts): string
  /** The mark as a comment, and the line of the file (from 0) that it stands on. */
  mark: { line: number; comment(text: string): string }
  /** The bytes of the file; UTF-8 without it. */
  encode?(text: string): Uint8Array
  decode?(bytes: Uint8Array): string
  /** The words that the file starts; undefined if it does not say so. */
  commandOf(text: string): string[] | undefined
  state(machine: Machine, place: ServicePlace): Promise<ServiceState>
  /** `before`: what ran until now; `isNew`: the file was written just now. */
  toStart(machine: Machine, place: ServicePlace, before: ServiceState, isNew: boolean): Step[]
  toRestart(machine: Machine, place: ServicePlace): Step[]
  /** Stops it and keeps it from starting by itself. */
  toStop(machine: Machine, place: ServicePlace): Step[]
  /** Once the file is gone. */
  toForget(machine: Machine, place: ServicePlace): Step[]
  /** What shows its log, where that is not a file. */
  logWords?(place: ServicePlace, show: { lines: number; follow: boolean }): string[]
  /** When the service would stop although its owner wants it to go on: what to do, in a sentence. */
  staysUp?(machine: Machine, owner: ServiceOwner): Promise<string | undefined>
}

/** The name of the service for every service manager. */
export const SERVICE_NAME = 'beckon'
export const DESCRIPTION = 'Beckon: agents beckon, people answer'
/** Waits end as pending, what is on its way is finished or kept: that takes below 10 seconds. */
export const STOP_SECONDS = 20
/** Between a failure and the next start. */
export const RESTART_SECONDS = 2
/** Each connection takes a file descriptor. */
export const OPEN_FILES = 65_536

/** All words of the service. */
export function serviceWords({ program, options, dataFolder }: ServiceFacts): string[] {
  return [...program, 'serve', '--data', dataFolder, ...options]
}

/** Whether `text` can stand in a file of a service manager: one line, no control characters. */
export function isOneLine(text: string): boolean {
  return !/[\p{Cc}\u2028\u2029]/u.test(text) && text.isWellFormed()
}
