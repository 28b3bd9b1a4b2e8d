/** What can change while somebody watches. */
export type Topic =
  | 'question'
  | 'notification'
  | 'session'
  | 'subscriber'
  | 'token'
  | 'callback'
  | 'policy'

export type Ring = { topic: Topic; id: string }

/**
 * Wake-ups after commit. A ring is a hint, the row is the truth: whoever listens reads it again,
 * and also looks when rings may have been missed (`onGap`).
 */
export type Bell = {
  /** Calls `listener` for each ring of `topic`; for one `id` alone when it is given. */
  on(topic: Topic, id: string | undefined, listener: (id: string) => void): () => void
  /** Calls `listener` when rings may have been lost (another process, a reconnect). */
  onGap(listener: () => void): () => void
}

export type RingingBell = Bell & { ring(rings: Iterable<Ring>): void; gap(): void }

export function createBell(): RingingBell {
  // Lists, not sets: nearly all have one listener, and thousands may wait.
  const byTopic = new Map<string, Array<(id: string) => void>>()
  const gapListeners = new Set<() => void>()

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
    onGap(listener) {
      gapListeners.add(listener)
      return () => gapListeners.delete(listener)
    },
    ring(rings) {
      for (const { topic, id } of rings) {
        tell(`${topic}:${id}`, id)
        tell(topic, id)
      }
    },
    gap() {
      for (const listener of gapListeners) listener()
    },
  }
}
