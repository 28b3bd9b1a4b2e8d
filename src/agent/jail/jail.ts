import type { Placeholder } from './placeholders.ts'

/** The paths that a command may change and may not read, besides what always applies. */
export type RequestedScope = {
  write: readonly string[]
  /** May be read but not changed, even inside what may be changed. */
  keep: readonly string[]
  deny: readonly string[]
  /**
   * Names that the command could make and may not, besides those of git; undefined where nobody
   * removes what is made for that.
   */
  placeholders: readonly Placeholder[] | undefined
  /** Without temporary folders, caches, toolchain folders, and the folder of git. */
  withoutState: boolean
  withoutNamespaces: boolean
  /** Runs the command even if it cannot be contained. */
  bestEffort: boolean
}

/** Why a command did not start, as shells number it. */
export const ENDS = { notContained: 125, notExecutable: 126, notFound: 127 } as const

/** The command was not started; otherwise this process would have become it. */
export class NotStarted extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}
