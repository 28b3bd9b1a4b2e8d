import type { GuardedFetch } from '../../src/platform/outgoing/guarded-fetch.ts'

/** One way in which requests leave the server, or a command of its owner. */
export type WayOut = {
  name: string
  /** The files that ask. */
  through: readonly string[]
  /**
   * Asks `base`, an address without a path, as this way does; what it says of it. Undefined where it
   * says nothing to anybody when nothing came of it.
   */
  ask(base: string): Promise<WayResult>
  /** Whether it takes an answer for what it wanted by its status alone. */
  byStatus?: true
}

export type WayResult = {
  /** Whether it counts as done: delivered, read, up. */
  taken: boolean
  /** Why not, to whoever may know. */
  why?: string | undefined
}

/** What goes out through a guard that a test has made; closed with it. */
export type Ways = AsyncDisposable & { ways: readonly WayOut[] }

export type Guard = Pick<GuardedFetch, 'fetch' | 'refusal'>

/** What was thrown, as a reason. */
export async function orWhy(work: Promise<WayResult>): Promise<WayResult> {
  return await work.catch((error: Error) => ({ taken: false, why: error.message }))
}
