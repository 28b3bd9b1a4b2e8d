/** A call waits at least and at most this long. */
export const WAIT_MIN_MS = 1_000
export const WAIT_MAX_MS = 55_000

/** A question can be answered for this long, whatever happens to the call that asked it. */
export const WINDOW_MS = 10 * 60_000

/** The longest life of a question whose agent comes back for the answer. */
export const LONG_LIFE_MAX_MS = 7 * 24 * 60 * 60_000

/**
 * The header in which a client says how many seconds it waits for a reply that streams. Where the
 * policy's `holdMs` is on, its calls are held that long in place of 55 seconds.
 */
export const HOLD_HEADER = 'x-beckon-hold'

export const QUESTION_TYPES = ['confirm', 'select', 'input'] as const

/** The field of progress that names the question being waited for, for programs. */
export const CORRELATION_ID = 'beckon/correlationId'
