import type { Clock } from '../clock.ts'
import type { ChangeBus, Topic } from './change-bus.ts'

/** What was read a moment ago, by key. */
export type TtlCache<V> = Disposable & { of(key: string): Promise<V> }

// A change by another process takes effect within this time; one by this process at once.
const KNOWN_FOR_MS = 1_000
// Bounds what callers can make the server remember.
const KNOWN_MAX = 1_000

type Entry<V> = { readAt: number; value: Promise<V>; isRead: boolean }

/**
 * What nearly every call looks at, read at most once a second for each key; a change of `topic`
 * forgets all of it. A read that fails, or that `keeps` does not want, is not remembered.
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
        // It may be read within the transaction of another, which fails for reasons of its own.
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
