import type { Config, PreviewConfig } from './config/config.ts'
import type { Log } from './log.ts'

/** The running server, as commands see it. */
type Serving = {
  /** The address it listens on. */
  url: string
  /** The address that people and agents use. */
  baseUrl: string
  /** The one-time link for the first account; undefined once there is one. */
  setUpLink: string | undefined
  /** Why https does not answer yet although it is set up. */
  tlsProblem(): string | undefined
  /** Reports that it is not ready any more, and goes on until `stop`. */
  leave(): void
  /** Answers waiting calls with `pending`, lets open requests finish, and closes. */
  stop(): Promise<void>
}

/**
 * The parts that need the whole program; `main.ts` passes them to the commands. `Found` is what a
 * preview finds in the folder that it shows.
 */
export type Starters<Found = unknown> = {
  /** With `jobs: false` it only answers, without background work. */
  startApp(config: Config, more: { log: Log; jobs?: boolean }): Promise<Serving>
  startPreview(
    config: PreviewConfig,
    more: PreviewCommandOptions<Found>,
  ): Promise<Omit<Serving, 'setUpLink' | 'tlsProblem' | 'leave'>>
}

/** Serves a folder of files as they are. */
export type PreviewCommandOptions<Found> = {
  log: Log
  folder: string
  /** Called with each state of the folder. */
  onLooked(database: Found): void
}

/** Runs a command with the arguments after its name; resolves to the exit code. */
type Run<Found = never> = (args: string[], starters: Starters<Found>) => Promise<number>

/** One row of the command table; its file is loaded only when the command runs. */
export type Command<Found = never> = {
  name: string
  /** The summary, in one line. */
  summary: string
  /** Each way to call it, without the program's name. */
  usage: readonly string[]
  /** Options and what they mean. */
  options?: ReadonlyArray<readonly [option: string, meaning: string]>
  /** A call that works, with the program's name. */
  example: string
  /** The possible values of its arguments, if they can be listed; for shell completion. */
  words?: readonly string[]
  /**
   * For a command with subcommands: an example call of each, by its name. Their help shows what
   * belongs to them.
   */
  examples?: Readonly<Record<string, string>>
  load(): Promise<Run<Found>>
}

/** Exit codes that scripts rely on. */
export const EXIT = {
  done: 0,
  /**
   * `ask` and `wait`: a confirmation was answered with no. Other commands: it could not be done.
   */
  no: 1,
  failed: 1,
  wrongUsage: 2,
  noAnswer: 3,
  /** `audit verify`: nothing is sealed, so that nothing was checked. */
  nothingSealed: 3,
  /** `policy diff` and `policy apply`: the state is another one. */
  differs: 3,
  cancelled: 4,
  unreachable: 5,
  /** Ctrl-C: 128 + SIGINT, as shells expect it. */
  interrupted: 130,
} as const

/** Options that several commands take, as rows of their help. */
export const DATA = ['--data FOLDER', 'the data folder (BECKON_DATA, else ./data)'] as const
export const JSON_OUT = ['--json', 'print JSON instead of text'] as const
