import type { Clock } from '../clock.ts'
import type { ChangeBus, Topic } from './change-bus.ts'

/** Values that were read a moment ago, by key. */
export type TtlCache<V> = Disposable & { of(key: string): Promise<V> }

// A change by another process takes effect within this time, one by this process at once.
const KNOWN_FOR_MS = 1_000
// Limits what callers can make the server remember.
const KNOWN_MAX = 1_000

type Entry<V> = { readAt: number; value: Promise<V>; isRead: boolean }

/**
 * For values that nearly every call reads: each key is read at most once a second, and a change of
 * `topic` drops all of them. A read that fails, or that `keeps` rejects, is not remembered.
 */
export function createTtlCache<V>(
  { changes, clock }: { changes: ChangeBus; clock: Clock },
  topic: Topic,
  read: (key: string) => Promise<V>,
  keeps: (value: V) => boolean = () => true,
): TtlCache<V> {
  const known = new Map<string, Entry<V>>()
  const forget = () => known.clear()
  const stopListening = [changes.on(topic, undefined, forget), changes.onMissed(forget)]

  return {
    of(key) {
      const fresh = known.get(key)
      if (fresh && clock.now() - fresh.readAt < KNOWN_FOR_MS) {
        // The pending read may belong to another transaction, which may fail for its own reasons.
        return fresh.isRead ? fresh.value : fresh.value.catch(() => read(key))
      }
      if (known.size >= KNOWN_MAX) known.clear()
      const entry = { readAt: clock.now(), value: read(key), isRead: false }
      known.set(key, entry)
      const drop = () => known.get(key) === entry && known.delete(key)
      entry.value.then((value) => {
        entry.isRead = true
        if (!keeps(value)) drop()
      }, drop)
      return entry.value
    },
    [Symbol.dispose]() {
      for (const stop of stopListening) stop()
    },
  }
}
