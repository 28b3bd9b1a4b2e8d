import { randomText } from '../../ids.ts'
import type { Change, EmittingBus } from '../change-bus.ts'
import { createEars } from './ears.ts'
import { needsDirectWay } from './errors.ts'
import { createTeller } from './teller.ts'

/** Sends the changes of this process to the others, and receives theirs. */
export type Bell = {
  announce(changes: readonly Change[]): void
  /** Sends what is still waiting, then closes. */
  close(): Promise<void>
}

export type BellOptions = {
  /** A direct connection, because a transaction pooler does not pass on what LISTEN receives. */
  url: string
  changes: EmittingBus
  /** False for a command, which only sends. */
  listens: boolean
  /** Milliseconds between two checks for missed changes. */
  everyMs?: number
}

const EVERY_MS = 5_000
const HEARD_MS = 5_000

/**
 * Opens the connections that send and receive changes, apart from those for data. Throws
 * `unavailable` if they cannot be opened, `conflict` if changes that are sent do not arrive.
 */
export async function openBell(options: BellOptions): Promise<Bell> {
  const { url, changes, listens, everyMs = EVERY_MS } = options
  const self = randomText(16)
  const teller = createTeller(url, self)
  if (!listens) return { announce: teller.tell, close: teller.close }
  const ears = createEars(url, self, changes)
  const close = async () => {
    clearInterval(timer)
    await teller.close()
    await ears.close()
  }
  const timer = setInterval(() => {
    changes.look()
    ears.check()
    void teller.beat().then((told) => told && ears.expectBeat())
  }, everyMs)
  try {
    await ears.open()
    const heard = ears.nextBeat(HEARD_MS)
    await teller.beat()
    if (!(await heard)) throw needsDirectWay()
  } catch (error) {
    await close()
    throw error
  }
  return { announce: teller.tell, close }
}
