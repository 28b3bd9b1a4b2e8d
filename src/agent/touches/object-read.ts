import type { Operand } from './operand.ts'

/**
 * Objects of the repository at `place` that a git command reads, whose files have no names of their
 * own. `history`: anything. `list`: the files that this git command lists by their names;
 * `isLoose`: where git does not understand its words, they are no revisions. `objects`: these, if
 * they are files. `fill`: anything, if another work tree than the session's is filled from it.
 */
export type ObjectRead = { place: string } & (
  | { what: 'history' }
  | { what: 'fill' }
  | { what: 'list'; words: string[]; isLoose?: true }
  | { what: 'objects'; names: string[] }
)

/** As `ObjectRead`; `at`: the repository, if it is not the one that the command runs in. */
export type GitRead =
  | { what: 'history'; at?: Operand }
  | { what: 'fill' }
  | { what: 'list'; words: string[]; isLoose?: true }
  | { what: 'objects'; names: string[] }

/** Anything that is in the repository. */
export const ALL = { what: 'history' } as const
