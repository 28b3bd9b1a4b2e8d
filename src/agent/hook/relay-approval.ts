import { bodyOf } from '../../ask/wire/action-body.ts'
import { looksDestructive } from '../../ask/wire/danger/destructive.ts'
import { type OwnProgram, settle } from '../../ask/wire/reading/own-programs.ts'
import { declined, planDeclined, ruledOut, STOPPED } from '../../ask/wire/refusal-words.ts'
import { sha256 } from '../../platform/signing/sha256.ts'
import { isShowable, showCall, wholeOf } from '../calls/show-call.ts'
import { type HookCall, SILENT, toolNameOf, type Verdict } from '../calls/tool-call.ts'
import { type HookContext, sessionOf } from '../session/context.ts'
import { whereOf } from '../session/refresh.ts'
import { callHook, type HookAsk } from '../session/server.ts'
import { approvalAsk, commonFields, readingOf } from './approval-ask.ts'
import { callPlace, targetOf } from './call-target.ts'
import { askPhone, type PhoneOutcome, unansweredWords } from './relay-ask.ts'
import { idOfCall, keyOf } from './relay-key.ts'
import { type SessionOffer, sessionOffer } from './relay-session.ts'
import { takeAgreed } from './spool.ts'

// A longer call is not checked to its end, so no rule allows it.
const JUDGED_MAX = 20_000

/** Puts the client's own prompt about a tool call to the phone. */
export async function relayApproval(context: HookContext): Promise<Verdict> {
  const { call } = context
  if (!isShowable(call)) return SILENT
  const session = sessionOf(context)
  // People have just been asked about this call, by a rule or because of what it would destroy, and
  // are not asked twice.
  const after = session && takeAgreed(session, call, Date.now())
  if (after) return after === 'allow' ? { is: 'allow' } : SILENT
  const offer = context.client.name === 'claude' ? sessionOffer(call.suggestions) : undefined
  const toolUseId = idOfCall(context)
  const ask: HookAsk = {
    ...approvalAsk(context, toolUseId),
    ...(offer ? { sessionToolAware: true, sessionAllows: offer.allows } : {}),
  }
  const answer = await askPhone(context, ask, toolUseId)
  switch (answer.is) {
    case 'ruled':
      return ruled(answer, call)
    case 'unanswered':
      return { is: 'deny', reason: unansweredWords(answer) }
    case 'stopped':
      return { is: 'deny', reason: STOPPED, interrupt: true }
    case 'answered':
      if (answer.value === 'yes') return allowed(answer.forSession ? offer : undefined)
      return answer.value === 'no' ? { is: 'deny', reason: declined(answer.note) } : SILENT
    case 'nothing':
    case 'no_rule':
      return SILENT
  }
}

function allowed(offer: SessionOffer | undefined): Verdict {
  if (!offer) return { is: 'allow' }
  return { is: 'allow', updatedPermissions: offer.updatedPermissions }
}

/**
 * A rule has seen at most the beginning of the call, so it can never allow what is hard to undo.
 */
function ruled(
  { decision, reason, programs = [] }: Extract<PhoneOutcome, { is: 'ruled' }>,
  call: HookCall,
): Verdict {
  if (decision === 'deny') return { is: 'deny', reason: ruledOut(reason) }
  return mayAllow(call, programs) ? { is: 'allow' } : SILENT
}

function mayAllow(call: HookCall, programs: readonly OwnProgram[]): boolean {
  if (call.command !== undefined) {
    const { open, dangers } = settle(readingOf(call.command, call), programs)
    return open.length === 0 && dangers.length === 0
  }
  const action = wholeOf(call)
  return action.length <= JUDGED_MAX && !looksDestructive({ question: '', detail: { action } })
}

/**
 * Asks about the plan that a session wants to carry out; a rule may decline a plan but never agree
 * to one.
 */
export async function relayPlan(context: HookContext): Promise<Verdict> {
  const { toolInput } = context.call
  const { plan } = (toolInput ?? {}) as { plan?: unknown }
  const body = typeof plan === 'string' ? bodyOf(plan) : {}
  if (body.actionBody === undefined) return SILENT
  const toolUseId = idOfCall(context)
  const ask = {
    question: 'Go ahead with this plan?',
    ...body,
    ...commonFields(context),
    ...keyOf(context.call, toolUseId),
  }
  const answer = await askPhone(context, ask, toolUseId)
  if (answer.is === 'stopped') return { is: 'deny', reason: STOPPED, interrupt: true }
  if (answer.is === 'ruled') {
    return answer.decision === 'deny' ? { is: 'deny', reason: ruledOut(answer.reason) } : SILENT
  }
  if (answer.is === 'unanswered') return { is: 'deny', reason: unansweredWords(answer) }
  if (answer.is !== 'answered') return SILENT
  // Without the tool's input, the client would still ask.
  if (answer.value === 'yes') return { is: 'allow', updatedInput: toolInput }
  return answer.value === 'no' ? { is: 'deny', reason: planDeclined(answer.note) } : SILENT
}

// The client may wait for this hook before it shows its prompt.
const TELL_MS = 2_500

/**
 * Tells a person what the client asks at its terminal, because it can only be answered there. If
 * two hooks report the same prompt, it is told once. Returns nothing to the client, and never
 * throws.
 */
export async function tellWaiting(context: HookContext): Promise<Verdict> {
  const { service, call, signal } = context
  const { sessionId } = call
  if (!service || sessionId === undefined || call.headless) return SILENT
  try {
    const place = callPlace(call)
    const ask = {
      ...showCall(call, place?.name),
      toolName: toolNameOf(call),
      ...targetOf(call, place?.name),
      ...(place?.toolPath === undefined ? {} : { toolPath: place.toolPath }),
      requestId: promptId(call),
    }
    const request = { event: 'waiting', sessionId, ...whereOf(context), ask } as const
    await callHook(service, call.client, request, { ms: TELL_MS, signal })
  } catch {
    // The prompt is shown at the terminal anyway.
  }
  return SILENT
}

/** The same prompt gets the same name, whichever hook reports it; another run gets another name. */
function promptId({ sessionId, occurredAt, message }: HookContext['call']): string {
  const when = occurredAt ?? crypto.randomUUID()
  return `prompt-${sha256(JSON.stringify([sessionId, when, message])).slice(0, 32)}`
}
