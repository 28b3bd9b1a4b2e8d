/** A command at work: takes what stands after its name, resolves to the exit code. */
export type Run = (args: string[]) => Promise<number>

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
