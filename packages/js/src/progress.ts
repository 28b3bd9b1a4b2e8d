import { factsOf, type Result } from './outcome.ts'
import { call, type Server } from './server.ts'

/** How far an open question is, for a line of a log or a terminal. */
export type Progress = {
  /** `asked`: it is open. `rang`: the services of so many devices accepted it. `shown`: so many say that they showed it. */
  step: 'asked' | 'rang' | 'shown'
  id: string
  /** Where a person who is signed in can answer. */
  answerUrl?: string
  /** Devices and chat channels that it is for; phones may join later. */
  addressed?: number
  accepted?: number
  shown?: number
}

type Watched = { signal: AbortSignal | undefined; server: Server }

/**
 * Returns a function that reads how far a question is, and reports what changed. What is not known
 * is not reported; what `onProgress` throws changes nothing about the question.
 */
export function watch(
  id: string,
  first: Result,
  onProgress: (progress: Progress) => void,
  { signal, server }: Watched,
): () => Promise<void> {
  const { answerUrl } = factsOf(first)
  let last: Progress = { step: 'asked', id, ...(answerUrl ? { answerUrl } : {}) }
  const tell = (progress: Progress) => {
    last = progress
    try {
      onProgress(progress)
    } catch {}
  }
  tell(last)
  const path = `/questions/${encodeURIComponent(id)}/delivery`
  return async () => {
    const what = { method: 'GET', tryUntil: 0, signal } as const
    const reply = await call(server, path, what).catch(() => undefined)
    if (!reply || 'unreachable' in reply) return
    const { addressed, accepted, shown: shownCount = 0 } = reply.body as Record<string, number>
    const now = { ...last, addressed, accepted } as Progress
    const isNew = accepted !== (last.accepted ?? 0) || addressed !== last.addressed
    if (accepted && isNew) tell({ ...now, step: 'rang' })
    if (shownCount > (last.shown ?? 0)) tell({ ...now, step: 'shown', shown: shownCount })
  }
}
