import { omitUndefined } from '../../platform/json.ts'
import type { GateCall, GateCallReply } from '../wire/gate-fields.ts'
import type { AskUserResult, WaitResult } from '../wire/result-fields.ts'
import { type Call, callAtHook, viewOf } from './call.ts'
import type { FieldQuestion } from './elicitation-form.ts'
import type { ToolVersions } from './tool-list.ts'

/** The decision about a call. `nobody`: no person can be asked, and why. */
export type Decision =
  | { is: 'allow' }
  | { is: 'deny'; reason: string | undefined }
  | { is: 'ask'; question: AskUserResult; onTimeout: GateCallReply['onTimeout'] }
  | { is: 'nobody'; why: string }
  /** The gated server has ended and cannot be started again now. */
  | { is: 'not_started' }

/** How the wait for a person ended. */
export type HoldEnd =
  | { is: 'yes' }
  /** Any other answer; `value` is no for a refusal. */
  | { is: 'no'; value: string | undefined; note: string | undefined }
  | { is: 'stopped' }
  /** The question was withdrawn, or its time is over. */
  | { is: 'ended' }
  | { is: 'unheard'; why: string }
  /** Nobody answered while the gate held the call. */
  | { is: 'over' }
  | { is: 'aborted' }

/** What became of a call that a person allowed. */
export type Outcome = 'succeeded' | 'failed' | 'not_run' | 'not_known'

/** The reply to a wait, or why there is none. `passing`: a retry may succeed. */
type Waited = { ok: true; value: WaitResult } | { ok: false; why: string; passing: boolean }

/** Decides the calls of one gate, and is told what became of them. Nothing here throws. */
export type Decider = {
  decide(call: Call, versions: ToolVersions, signal: AbortSignal): Promise<Decision>
  wait(questionId: string, heldMs: number, signal: AbortSignal): Promise<Waited>
  /**
   * Uses up the yes to a question for this one call, of the tool as its server has it now; undefined if
   * it could not be used.
   */
  usePermit(questionId: string, call: Call, now: ToolVersions['now']): Promise<string | undefined>
  /** Asks a person something that is no tool call, but may come from one; withdrawn once nobody waits. */
  ask(
    question: FieldQuestion,
    call: Call | undefined,
    holdMs: number,
    signal: AbortSignal,
  ): Promise<HoldEnd>
  reportOutcome(permitId: string, outcome: Outcome, detail?: string): Promise<void>
  withdraw(questionId: string, reason: string): Promise<void>
  /** Resolves once it was told of every call that went unasked. */
  recorded(): Promise<void>
}

/** Who calls, as far as the client tells it. */
export type CallPlace = Pick<
  Partial<Record<keyof GateCall, string | undefined>>,
  'sessionId' | 'repoKey' | 'agentName' | 'cwd' | 'machineId'
>

// The question may have to be sent out first.
const HELD_MS = 1_000

export const WAITS_NO_MORE = 'The server waits for the answer no more.'

/** A question of a server, for as long as it waits. */
export function ownQuestion(question: FieldQuestion, waitEndsAt: number) {
  return {
    ...question,
    ...{ requestId: crypto.randomUUID(), localSurfaceAvailable: false, timeoutMs: HELD_MS },
    waitEndsAt: new Date(waitEndsAt).toISOString(),
  }
}

type AboutCall = Pick<GateCall, 'server' | 'holdMs'> & {
  versions: ToolVersions
  /** The name of the gate. */
  name: string
  place: CallPlace
}

/** What the decision about a call is made of. */
export function callBody(
  call: Call,
  { name, server, versions, holdMs, place }: AboutCall,
): GateCall {
  const { tool, argumentsHash, callId = crypto.randomUUID() } = call
  return {
    ...{ server, tool, argumentsHash, callId, holdMs, timeoutMs: HELD_MS },
    fingerprint: versions.listed,
    ...(versions.now === undefined ? {} : { now: versions.now }),
    ...viewOf(call, name),
    ...omitUndefined({ ...place, atHook: callAtHook(call, name) }),
  }
}

export function decisionIn({ decision, reason, question, onTimeout }: GateCallReply): Decision {
  if (decision === 'allow') return { is: 'allow' }
  if (decision === 'deny') return { is: 'deny', reason }
  return question
    ? { is: 'ask', question, onTimeout }
    : { is: 'nobody', why: 'the server asked nobody' }
}
