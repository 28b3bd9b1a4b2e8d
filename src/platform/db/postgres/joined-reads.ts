import type { Query } from './pool.ts'

// Nobody waits for a read that takes longer than usual: each has its own deadline.
const JOIN_MS = 50
// Longer lists are seldom read twice at a time.
const PARAMS_MAX = 8

type Reading = {
  beganAt: number
  /** Resolves when it has ended, in whatever way. */
  ended: Promise<unknown>
  /** The one read for all who came meanwhile. */
  next?: Promise<unknown[][]>
}

/**
 * Reads that are the same, such as of a workspace's devices by every question, share one statement.
 * Nobody gets what was read before their call: who comes while a read is under way waits for the
 * next one. Rows are shared, so they must not be changed.
 */
export function createJoinedReads(query: Query): Query {
  const underWay = new Map<string, Reading>()

  function begin(key: string, text: string, params: readonly unknown[]): Promise<unknown[][]> {
    const rows = query(text, params)
    const reading: Reading = { beganAt: performance.now(), ended: rows.catch(() => {}) }
    underWay.set(key, reading)
    void reading.ended.then(() => {
      if (!reading.next && underWay.get(key) === reading) underWay.delete(key)
    })
    return rows
  }

  return (text, params) => {
    const key = keyOf(text, params)
    if (key === undefined) return query(text, params)
    const reading = underWay.get(key)
    if (!reading) return begin(key, text, params)
    if (performance.now() - reading.beganAt > JOIN_MS) return query(text, params)
    reading.next ??= reading.ended.then(() => begin(key, text, params))
    return reading.next
  }
}

function keyOf(text: string, params: readonly unknown[]): string | undefined {
  const isLong = params.length > PARAMS_MAX
  if (isLong || params.some((value) => value instanceof Object || typeof value === 'bigint')) {
    return undefined
  }
  return text + JSON.stringify(params)
}
