import type { Caller } from './agent.ts'

/** How far a waiting call is; shown to the person who watches the agent. */
export type Progress = {
  /** Milliseconds waited so far, and in all. */
  waitedMs: number
  totalMs: number
  message: string
  /** The question that is waited for: whoever loses this call can ask for its answer by this id. */
  correlationId?: string
}

/** One tool call as the flows see it, whichever face it came through. */
export type CallContext = {
  caller: Caller
  /** The client's own name for this call, the same on each retry of it. */
  id?: string | undefined
  /** Says where a long call stands; does nothing when nobody asked. */
  talk(progress: Progress): void
  /** Aborts when the caller hangs up: frees the wait, never ends the question. */
  signal: AbortSignal
}
