import { type Clock, pause } from '../../platform/clock.ts'
import { isTestTraffic } from '../wire/test-traffic.ts'
import type { Decider, Decision, HoldEnd } from './decider.ts'

type Question = Extract<Decision, { is: 'ask' }>['question']

type Hold = {
  decider: Decider
  clock: Clock
  holdMs: number
  signal: AbortSignal
  /** Called when Beckon's server goes away, and when it is back. */
  onAway(isAway: boolean): void
}

// Beckon's server ends a wait before that.
const WAIT_MS = 50_000
const WAIT_MIN_MS = 1_000
const RETRY_MS = 1_000

/** Waits until a person answers, for as long as the gate holds a call. Never throws. */
export async function holdCall(question: Question, hold: Hold): Promise<HoldEnd> {
  const { decider, clock, holdMs, signal, onAway } = hold
  const over = clock.elapsed() + holdMs
  const why = whyUnheard(question)
  if (why !== undefined && question.value === undefined) return { is: 'unheard', why }
  let now: Now = question
  using limit = limitOf(clock, holdMs, signal)
  for (;;) {
    if (signal.aborted) return { is: 'aborted' }
    const end = endOf(now)
    if (end) return end
    const left = over - clock.elapsed()
    if (left <= 0) return { is: 'over' }
    const heldMs = Math.max(WAIT_MIN_MS, Math.min(WAIT_MS, left))
    const reply = await decider.wait(question.correlationId, heldMs, limit.signal)
    onAway(!reply.ok && reply.passing)
    if (reply.ok) now = reply.value
    else if (!reply.passing) return { is: 'unheard', why: reply.why }
    if (!reply.ok || isPending(now)) await pause(clock, RETRY_MS, limit.signal)
  }
}

type Now = Pick<Question, 'value' | 'note' | 'env' | 'answerSource'> & {
  status?: string | undefined
}

function limitOf(
  clock: Clock,
  ms: number,
  signal: AbortSignal,
): Disposable & { signal: AbortSignal } {
  const over = new AbortController()
  const forget = clock.after(ms, () => over.abort())
  return { signal: AbortSignal.any([signal, over.signal]), [Symbol.dispose]: () => void forget() }
}

function endOf(now: Now): HoldEnd | undefined {
  const { status, value, note } = now
  if (isPending(now)) return undefined
  if (isTestTraffic(now)) return { is: 'unheard', why: TEST_TRAFFIC }
  if (status === 'stopped') return { is: 'stopped' }
  if (status !== 'answered') return { is: 'ended' }
  return value === 'yes' ? { is: 'yes' } : { is: 'no', value, note }
}

function isPending({ status }: Now): boolean {
  return status === undefined || status === 'pending' || status === 'unavailable'
}

const TEST_TRAFFIC = 'questions of this token reach nobody'

/** Why nobody will see the question now. */
function whyUnheard({ noDevices, held, mode, status }: Question): string | undefined {
  if (status !== undefined && status !== 'pending') return undefined
  if (held) return TEST_TRAFFIC
  if (noDevices) return 'no device could be reached'
  return mode ? 'questions are not sent out at present' : undefined
}
