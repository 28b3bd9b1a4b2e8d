import type { Clock } from '../clock.ts'

/**
 * The kinds of rows whose changes are announced; each feature adds its own by declaration merging.
 * @public
 */
// biome-ignore lint/suspicious/noEmptyInterface: only an interface can be merged.
export interface Topics {}

export type Topic = keyof Topics

export type Change = { topic: Topic; id: string }

/**
 * Wake-ups after commit. A change is only a hint, the row is the truth: a listener reads the row
 * again, also when changes may have been missed (`onMissed`).
 */
export type ChangeBus = {
  /** Calls `listener` for each change of `topic`, or only of one `id` if it is given. */
  on(topic: Topic, id: string | undefined, listener: (id: string) => void): () => void
  /** Calls `listener` when changes may have been lost (another process, a reconnect). */
  onMissed(listener: () => void): () => void
  /**
   * Calls `listener` every few seconds while other processes write to the database, for work that
   * must not depend on events: a process may die between its commit and its event. It is called
   * often, so it should only ask the database one cheap question.
   */
  onLook(listener: () => void): () => void
}

export type EmittingBus = ChangeBus & {
  emit(changes: Iterable<Change>): void
  missed(): void
  look(): void
}

export function createChangeBus(): EmittingBus {
  // Lists instead of sets: nearly every key has one listener, and thousands may wait.
  const byTopic = new Map<string, Array<(id: string) => void>>()
  const missedListeners = new Set<() => void>()
  const lookListeners = new Set<() => void>()

  function add(key: string, listener: (id: string) => void) {
    byTopic.set(key, [...(byTopic.get(key) ?? []), listener])
    return () => {
      const others = (byTopic.get(key) ?? []).filter((one) => one !== listener)
      if (others.length > 0) byTopic.set(key, others)
      else byTopic.delete(key)
    }
  }

  function tell(key: string, id: string) {
    for (const listener of byTopic.get(key) ?? []) listener(id)
  }

  return {
    on: (topic, id, listener) => add(id === undefined ? topic : `${topic}:${id}`, listener),
    onMissed(listener) {
      missedListeners.add(listener)
      return () => missedListeners.delete(listener)
    },
    onLook(listener) {
      lookListeners.add(listener)
      return () => lookListeners.delete(listener)
    },
    emit(changes) {
      for (const { topic, id } of changes) {
        tell(`${topic}:${id}`, id)
        tell(topic, id)
      }
    },
    missed() {
      for (const listener of missedListeners) listener()
    },
    look() {
      for (const listener of lookListeners) listener()
    },
  }
}

/** Values that were read a moment ago, by key. */
type TtlCache<V> = Disposable & { of(key: string): Promise<V> }

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
  const entries = new Map<string, Entry<V>>()
  const forget = () => entries.clear()
  const stopListening = [changes.on(topic, undefined, forget), changes.onMissed(forget)]

  return {
    of(key) {
      const fresh = entries.get(key)
      if (fresh && clock.now() - fresh.readAt < KNOWN_FOR_MS) {
        // The pending read may belong to another transaction, which may fail for its own reasons.
        return fresh.isRead ? fresh.value : fresh.value.catch(() => read(key))
      }
      if (entries.size >= KNOWN_MAX) entries.clear()
      const entry = { readAt: clock.now(), value: read(key), isRead: false }
      entries.set(key, entry)
      const drop = () => entries.get(key) === entry && entries.delete(key)
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
