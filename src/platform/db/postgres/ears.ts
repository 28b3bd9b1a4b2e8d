import type { SQL } from 'bun'
import type { EmittingBus } from '../change-bus.ts'
import { CHANNEL, connectBell, type Told } from './bell-connection.ts'
import { postgresFailure, tooSlow } from './errors.ts'

export type Ears = {
  /** Starts to listen; resolves when the server has confirmed it. */
  open(): Promise<void>
  /** Listens again on a new connection if too many of this process's own beats did not arrive. */
  check(): void
  /** Called when a beat was sent. */
  expectBeat(): void
  /** Whether the next beat arrives within `ms` milliseconds. */
  nextBeat(ms: number): Promise<boolean>
  close(): Promise<void>
}

const OPEN_MS = 10_000
// A connection that was cut off silently receives nothing, and nothing reports it.
const UNHEARD_MAX = 2

/**
 * Receives the changes of other processes, and reports `missed` whenever some may have been lost.
 */
export function createEars(url: string, self: string, changes: EmittingBus): Ears {
  let sql: SQL | undefined
  let unheard = 0
  let isClosed = false
  let onBeat = () => {}

  function hear(payload: string) {
    const told = parsed(payload)
    if (!told) return
    if (told.from === self) {
      if (!told.beat) return
      unheard = 0
      onBeat()
    } else if (told.all) changes.missed()
    else changes.emit(told.changes.map(([topic, id]) => ({ topic, id })))
  }

  async function listen(isFirst: boolean): Promise<void> {
    let times = 0
    sql = connectBell(url)
    unheard = 0
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(() => late.reject(tooSlow(OPEN_MS)), OPEN_MS)
    const listening = sql.listen(CHANNEL, hear, () => {
      // The driver connects again by itself.
      if (times++ > 0 || !isFirst) changes.missed()
    })
    try {
      await Promise.race([listening, late.promise])
    } finally {
      clearTimeout(timer)
    }
  }

  function leave() {
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
      if (isClosed || unheard <= UNHEARD_MAX) return
      void leave()
      // If that fails, the next check tries again.
      listen(false).catch(() => {
        unheard = UNHEARD_MAX + 1
      })
    },
    expectBeat() {
      unheard++
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
      await leave()
    },
  }
}

/** Undefined for notifications of another program on our channel. */
function parsed(payload: string): Told | undefined {
  try {
    const told = JSON.parse(payload) as Partial<Told> | null
    return told && typeof told.from === 'string' && Array.isArray(told.changes)
      ? (told as Told)
      : undefined
  } catch {
    return undefined
  }
}
