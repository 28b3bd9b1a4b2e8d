import { randomText } from '../../ids.ts'
import type { Change, EmittingBus } from '../change-bus.ts'
import { createChangeListener } from './change-listener.ts'
import { createChangePublisher } from './change-publisher.ts'
import { needsDirectWay } from './errors.ts'

/** Sends the changes of this process to the others, and receives theirs. */
export type ChangeRelay = {
  announce(changes: readonly Change[]): void
  /** Sends what is still waiting, then closes. */
  close(): Promise<void>
}

export type ChangeRelayOptions = {
  /** A direct connection, because a transaction pooler does not pass on what LISTEN receives. */
  url: string
  changes: EmittingBus
  /** False for a command, which only sends. */
  listens: boolean
  /** Milliseconds between two checks for missed changes. */
  everyMs?: number
}

const EVERY_MS = 5_000
const BEAT_MS = 5_000

/**
 * Opens the connections that send and receive changes, apart from those for data. Throws
 * `unavailable` if they cannot be opened, `conflict` if changes that are sent do not arrive.
 */
export async function openChangeRelay(options: ChangeRelayOptions): Promise<ChangeRelay> {
  const { url, changes, listens, everyMs = EVERY_MS } = options
  const self = randomText(16)
  const publisher = createChangePublisher(url, self)
  if (!listens) return { announce: publisher.publish, close: publisher.close }
  const listener = createChangeListener(url, self, changes)
  const close = async () => {
    clearInterval(timer)
    await publisher.close()
    await listener.close()
  }
  const timer = setInterval(() => {
    changes.look()
    listener.check()
    void publisher.beat().then((isSent) => isSent && listener.expectBeat())
  }, everyMs)
  try {
    await listener.open()
    const ownBeat = listener.nextBeat(BEAT_MS)
    await publisher.beat()
    if (!(await ownBeat)) throw needsDirectWay()
  } catch (error) {
    await close()
    throw error
  }
  return { announce: publisher.publish, close }
}
