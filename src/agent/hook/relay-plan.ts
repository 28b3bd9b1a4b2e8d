import type { HookContext } from './context.ts'
import { commonFields } from './relay-approval.ts'
import { askPhone } from './relay-ask.ts'
import { bodyOf } from './relay-body.ts'
import { idOfCall, keyOf } from './relay-key.ts'
import { planDeclined, ruledOut, STOPPED } from './relay-words.ts'
import { SILENT, type Verdict } from './tool-call.ts'

/** The plan that a session wants to go ahead with; a rule may decline one, and never agrees to it. */
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
  const told = await askPhone(context, ask, toolUseId)
  if (told.is === 'stopped') return { is: 'deny', reason: STOPPED, interrupt: true }
  if (told.is === 'ruled') {
    return told.decision === 'deny' ? { is: 'deny', reason: ruledOut(told.reason) } : SILENT
  }
  if (told.is !== 'answered') return SILENT
  // Without its input the client would still ask.
  if (told.value === 'yes') return { is: 'allow', updatedInput: toolInput }
  return told.value === 'no' ? { is: 'deny', reason: planDeclined(told.note) } : SILENT
}
