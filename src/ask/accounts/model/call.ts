import type { Caller } from './agent.ts'

/** How far a waiting call is; shown to the person who watches the agent. */
export type Progress = {
  /** Milliseconds waited so far, and in total. */
  waitedMs: number
  totalMs: number
  message: string
  /**
   * The question that is waited for: a caller that loses this call can ask for the answer by this
   * id.
   */
  correlationId?: string
}

/** One tool call as use cases see it, over MCP or REST. */
export type CallContext = {
  caller: Caller
  /** The client's own name for this call, the same on each retry of it. */
  id?: string | undefined
  /** Reports how far a long call is; does nothing if the caller did not ask for progress. */
  talk(progress: Progress): void
  /** The caller can follow this call as a task, if its answer takes longer than the call may. */
  follows?: boolean
  /**
   * How long the client waits for this reply, in milliseconds, if it said so and accepts a stream.
   */
  clientWaitsMs?: number | undefined
  /** Aborts when the caller hangs up: frees the wait, never ends the question. */
  signal: AbortSignal
}
