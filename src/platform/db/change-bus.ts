/** The kinds of rows whose changes are announced. */
export type Topic =
  | 'question'
  | 'notification'
  | 'session'
  | 'snooze'
  | 'subscriber'
  | 'token'
  | 'callback'
  | 'page'
  | 'policy'

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
