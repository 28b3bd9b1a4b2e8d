import type { Looked } from '../../catalog/preview.ts'
import type { Config, PreviewConfig } from '../config/config.ts'
import type { Log } from '../log.ts'

/** The server at work, as far as a command has to do with it. */
export type Serving = {
  /** The address it listens on. */
  url: string
  /** The address that people and agents use. */
  baseUrl: string
  /** The one-time link for the first account; undefined once there is one. */
  setUpLink: string | undefined
  /** Ends waits as pending, lets what is open finish, and closes. */
  stop(): Promise<void>
}

/** What only the program as a whole can do; `main.ts` hands it over. */
export type House = {
  startApp(config: Config, more: { log: Log }): Promise<Serving>
  startPreview(config: PreviewConfig, more: Watching): Promise<Omit<Serving, 'setUpLink'>>
}

/** A folder with the files of a catalog, to be shown as it is. */
export type Watching = {
  log: Log
  folder: string
  /** Told of each state of the folder. */
  looked(found: Looked): void
}

/** A command at work: takes what stands after its name, resolves to the exit code. */
export type Run = (args: string[], house: House) => Promise<number>

/** One row of the command table; its file is loaded only when the command runs. */
export type Command = {
  name: string
  /** What it does, in one line. */
  summary: string
  /** Each way to call it, without the program's name. */
  usage: readonly string[]
  /** Options and what they mean. */
  options?: ReadonlyArray<readonly [option: string, meaning: string]>
  /** A call that works, with the program's name. */
  example: string
  /** Where it has many ways: a call of each, by its name. Their help shows what belongs to them. */
  examples?: Readonly<Record<string, string>>
  load(): Promise<Run>
}

/** Exit codes that scripts rely on (design: Commands). */
export const EXIT = {
  done: 0,
  /** `ask` and `wait`: a confirm answered with no. Elsewhere: it could not be done. */
  no: 1,
  failed: 1,
  wrongUsage: 2,
  noAnswer: 3,
  cancelled: 4,
  unreachable: 5,
} as const
