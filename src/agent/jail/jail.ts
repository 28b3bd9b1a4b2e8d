/** What a command may change and not read, beside what always holds. */
export type Wish = {
  write: readonly string[]
  /** May be read, and not be changed even inside of what may be. */
  keep: readonly string[]
  deny: readonly string[]
  /** Without temporary folders, caches, what toolchains keep, and the folder of git. */
  withoutState: boolean
  withoutNamespaces: boolean
  /** Runs the command also where it cannot be contained. */
  bestEffort: boolean
}

/** Why a command did not start, as shells number it. */
export const ENDS = { notContained: 125, notExecutable: 126, notFound: 127 } as const

/** The command was not started: this process would be it otherwise. */
export class NotStarted extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}
