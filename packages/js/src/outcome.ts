/** What the person added, and where it was answered, as far as known. */
type Said = { id: string; question: string; note?: string; source?: string }

/** Ends that are neither a yes nor a no. */
const OTHER_ENDS = [
  'expired',
  'cancelled',
  'stopped',
  'missing',
  'unavailable',
  'notified',
  'terminal',
] as const

/**
 * What became of a question. Only `answered` is an agreement; nothing else is one, however long it
 * took.
 *
 * - `answered`: with `value`; of a confirm it is a yes.
 * - `declined`: the person said no.
 * - `expired`: nobody answered in its time. `cancelled`: it was withdrawn.
 * - `stopped`: the person wants the agent to stop.
 * - `paused`: not asked, because the last questions of the session went unanswered.
 * - `no_devices`: nothing is connected that could receive it; `hint` says what to connect.
 * - `held`: test traffic, which nobody is shown.
 * - `notified`, `terminal`: by policy it is answered where the agent runs, not here.
 * - `waiting`: the caller stopped waiting and the question is open; `wait(id)` goes on.
 * - `missing`: the server has no such question. `unavailable`, `unreachable`: it could not be asked.
 */
export type Outcome<T> =
  | ({ status: 'answered'; value: T } & Said)
  | ({ status: 'declined' } & Said)
  | {
      status: (typeof OTHER_ENDS)[number] | 'paused' | 'no_devices' | 'held' | 'waiting'
      id: string
      hint?: string
    }
  | { status: 'unreachable'; reason: string; id?: string }

/** A result of the server, as far as it is read. */
export type Result = Record<string, unknown>

/** The outcome that a result tells; undefined while the question is open. */
export function outcomeOf(result: Result): Outcome<string | true> | undefined {
  const id = String(result.correlationId)
  const { status, type, value, hint } = result
  const more = typeof hint === 'string' ? { hint } : {}
  if (status === 'answered') {
    if (typeof value !== 'string') return { status: 'unavailable', id, ...more }
    const said = { id, question: String(result.question ?? ''), ...extras(result) }
    if (type !== 'confirm') return { status: 'answered', value, ...said }
    // Whatever is no yes is none.
    return value === 'yes'
      ? { status: 'answered', value: true, ...said }
      : { status: 'declined', ...said }
  }
  if (result.paused === true) return { status: 'paused', id, ...more }
  if (result.held !== undefined) return { status: 'held', id, ...more }
  if (result.noDevices === true) return { status: 'no_devices', id, ...more }
  const end = OTHER_ENDS.find((name) => name === status)
  if (end) return { status: end, id, ...more }
  // A status of a newer server must not be waited for, and is no agreement.
  return status === 'pending' ? undefined : { status: 'unavailable', id, ...more }
}

function extras({ note, answerSource }: Result): { note?: string; source?: string } {
  return {
    ...(typeof note === 'string' ? { note } : {}),
    ...(typeof answerSource === 'string' ? { source: answerSource } : {}),
  }
}
