import type { SQL } from 'bun'
import type { EmittingBus } from '../change-bus.ts'
import { postgresFailure, tooSlow } from './errors.ts'
import { CHANNEL, type ChangeMessage, connectForNotify } from './notify-connection.ts'

export type ChangeListener = {
  /** Starts to listen; resolves when the server has confirmed it. */
  open(): Promise<void>
  /** Listens again on a new connection if too many of this process's own beats did not arrive. */
  check(): void
  /** Called when a beat was sent. */
  expectBeat(): void
  /** Resolves to true if the next beat arrives within `ms` milliseconds. */
  nextBeat(ms: number): Promise<boolean>
  close(): Promise<void>
}

const OPEN_MS = 10_000
// A connection that was cut off silently receives nothing, and nothing reports it.
const MISSING_BEATS_MAX = 2

/**
 * Receives the changes of other processes, and reports `missed` whenever some may have been lost.
 */
export function createChangeListener(
  url: string,
  self: string,
  changes: EmittingBus,
): ChangeListener {
  let sql: SQL | undefined
  let missingBeats = 0
  let isClosed = false
  let onBeat = () => {}

  function onNotification(payload: string) {
    const message = parseMessage(payload)
    if (!message) return
    if (message.from === self) {
      if (!message.beat) return
      missingBeats = 0
      onBeat()
    } else if (message.all) changes.missed()
    else changes.emit(message.changes.map(([topic, id]) => ({ topic, id })))
  }

  async function listen(isFirst: boolean): Promise<void> {
    let times = 0
    sql = connectForNotify(url)
    missingBeats = 0
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(() => late.reject(tooSlow(OPEN_MS)), OPEN_MS)
    const listening = sql.listen(CHANNEL, onNotification, () => {
      // The driver connects again by itself.
      if (times++ > 0 || !isFirst) changes.missed()
    })
    try {
      await Promise.race([listening, late.promise])
    } finally {
      clearTimeout(timer)
    }
  }

  function closeConnection() {
    const old = sql
    sql = undefined
    return old?.close({ timeout: 0 }).catch(() => {})
  }

  return {
    async open() {
      try {
        await listen(true)
      } catch (error) {
        throw postgresFailure(error)
      }
    },
    check() {
      if (isClosed || missingBeats <= MISSING_BEATS_MAX) return
      void closeConnection()
      // If that fails, the next check tries again.
      listen(false).catch(() => {
        missingBeats = MISSING_BEATS_MAX + 1
      })
    },
    expectBeat() {
      missingBeats++
    },
    nextBeat(ms) {
      return new Promise((resolve) => {
        const timer = setTimeout(() => resolve(false), ms)
        onBeat = () => {
          clearTimeout(timer)
          resolve(true)
        }
      })
    },
    async close() {
      isClosed = true
      await closeConnection()
    },
  }
}

/** Undefined for notifications of another program on our channel. */
function parseMessage(payload: string): ChangeMessage | undefined {
  try {
    const message = JSON.parse(payload) as Partial<ChangeMessage> | null
    return message && typeof message.from === 'string' && Array.isArray(message.changes)
      ? (message as ChangeMessage)
      : undefined
  } catch {
    return undefined
  }
}
