import { randomText } from '../../ids.ts'
import type { Change, EmittingBus } from '../change-bus.ts'
import { createEars } from './ears.ts'
import { needsDirectWay } from './errors.ts'
import { createTeller } from './teller.ts'

/** Changes that this process tells the others, and hears from them. */
export type Bell = {
  announce(changes: readonly Change[]): void
  /** Tells what is still to be told, then closes. */
  close(): Promise<void>
}

export type BellOptions = {
  /** A direct connection: no transaction pooler passes on what LISTEN hears. */
  url: string
  changes: EmittingBus
  /** False for a command, which only tells. */
  listens: boolean
  /** Milliseconds between two looks at what may have been missed. */
  everyMs?: number
}

const EVERY_MS = 5_000
const HEARD_MS = 5_000

/**
 * Opens the connections that tell and hear changes, apart from those of data. Throws `unavailable`
 * when they cannot be made, `conflict` when what is told is not heard.
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
