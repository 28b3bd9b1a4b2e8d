import type { SQL } from 'bun'
import type { Change, Topic } from '../change-bus.ts'
import { CHANNEL, type ChangeMessage, connectForNotify } from './notify-connection.ts'

export type ChangePublisher = {
  /**
   * Tells the other processes soon; changes that are added meanwhile are sent with it. Never
   * throws.
   */
  publish(changes: readonly Change[]): void
  /** Sends a beat, and what could not be sent before; resolves to whether it was accepted. */
  beat(): Promise<boolean>
  /** Sends what is still waiting, then closes. */
  close(): Promise<void>
}

// PostgreSQL accepts 7,999 bytes.
const PAYLOAD_MAX = 7_900
const SEND_MS = 10_000
const CLOSE_SECONDS = 2

/**
 * Sends changes by NOTIFY after their commit; inside a transaction, NOTIFY would serialise all
 * commits.
 */
export function createChangePublisher(url: string, self: string): ChangePublisher {
  let sql: SQL | undefined
  let waiting: Array<readonly [Topic, string]> = []
  // The others may have missed changes that can no longer be sent one by one.
  let gap = false
  let draining: Promise<boolean> | undefined

  async function send(message: Omit<ChangeMessage, 'from'>): Promise<boolean> {
    sql ??= connectForNotify(url)
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(() => late.reject(new Error('late')), SEND_MS)
    try {
      const payload = JSON.stringify({ from: self, ...message })
      const query = sql.unsafe('select pg_notify($1, $2)', [CHANNEL, payload])
      await Promise.race([query, late.promise])
      return true
    } catch {
      const stuck = sql
      sql = undefined
      stuck.close({ timeout: 0 }).catch(() => {})
      return false
    } finally {
      clearTimeout(timer)
    }
  }

  async function drain(): Promise<boolean> {
    // Sent one turn later, so that changes of the same turn go together.
    await Promise.resolve()
    while (waiting.length > 0) {
      const { fit, rest, tooLong } = takeFitting(waiting)
      waiting = rest
      gap ||= tooLong
      if (fit.length > 0 && !(await send({ changes: fit }))) gap = true
      if (gap) waiting = []
    }
    if (!gap) return true
    gap = !(await send({ changes: [], all: true }))
    return !gap
  }

  function drainOnce(): Promise<boolean> {
    draining ??= drain().finally(() => {
      draining = undefined
    })
    return draining
  }

  return {
    publish(changes) {
      for (const { topic, id } of changes) waiting.push([topic, id])
      void drainOnce()
    },
    async beat() {
      return (await drainOnce()) && (await send({ changes: [], beat: true }))
    },
    async close() {
      await drainOnce()
      await sql?.close({ timeout: CLOSE_SECONDS })
    },
  }
}

/** As many changes as fit into one notification; a change that is too long for any is left out. */
function takeFitting(waiting: Array<readonly [Topic, string]>) {
  let bytes = 100
  let n = 0
  let tooLong = false
  const fit: Array<readonly [Topic, string]> = []
  for (const change of waiting) {
    const size = Buffer.byteLength(JSON.stringify(change)) + 1
    if (size > PAYLOAD_MAX - 100) tooLong = true
    else if (bytes + size > PAYLOAD_MAX) break
    else {
      fit.push(change)
      bytes += size
    }
    n++
  }
  return { fit, rest: waiting.slice(n), tooLong }
}
