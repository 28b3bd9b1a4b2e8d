import type { CallMatch } from '../../ask/wire/call-match.ts'
import { declined, ruledOut, STOPPED } from '../../ask/wire/refusal-words.ts'
import { type HookCall, SILENT, toolNameOf, type Verdict } from '../calls/tool-call.ts'
import { canHandOver, type HookContext, sessionOf } from '../session/context.ts'
import { askHereByRule, notAskedByRule, tooLongForRule } from '../session/reasons.ts'
import { lastRuleMatches } from '../session/rule-matches.ts'
import type { PromptAfterYes } from './spool.ts'

/**
 * Asks the server about a call that a rule of the workspace may be about, before it runs: whether a
 * rule declines it, and whether those agree whom a rule names. Silent where no rule is about it, and
 * after their yes; `prompt` is what the client's own then is for. Never throws.
 */
export async function askByRule(context: HookContext, prompt: PromptAfterYes): Promise<Verdict> {
  const { service, state } = context
  const matches = context.ruleMatches ?? (service && lastRuleMatches(state, service)) ?? []
  if (context.approved || !mayBeForTool(context.call, matches)) return SILENT
  try {
    const { mayBeRuled } = await import('./may-be-ruled.ts')
    return mayBeRuled(context, matches) ? await askDeciders(context, matches, prompt) : SILENT
  } catch {
    return handOver(context, 'the hook failed')
  }
}

/** Returns false if no match is for the tool: then what reads commands need not be loaded. */
function mayBeForTool(call: HookCall, matches: readonly CallMatch[]): boolean {
  const names = [undefined, toolNameOf(call)]
  return matches.some(({ toolName }) => call.toolName === undefined || names.includes(toolName))
}

/** The decision if the hook itself fails: what rules decide does not run unasked. */
export async function withoutAsking(
  context: HookContext,
  matches: readonly CallMatch[],
): Promise<Verdict> {
  const { mayBeRuled } = await import('./may-be-ruled.ts')
  return mayBeRuled(context, matches) ? handOver(context, 'the hook failed') : SILENT
}

async function askDeciders(
  context: HookContext,
  matches: readonly CallMatch[],
  prompt: PromptAfterYes,
): Promise<Verdict> {
  const { call, service, cut } = context
  const place = sessionOf(context)
  if (!service) return handOver(context, 'this machine is not connected to a server')
  if (!place) return handOver(context, 'the client does not name its session')
  const { isShowable } = await import('../calls/show-call.ts')
  // Those who have to agree could not see all of it.
  if (cut || call.unread || !isShowable(call)) return { is: 'deny', reason: tooLongForRule() }
  const { approvalAsk } = await import('./approval-ask.ts')
  const { startsUnseen } = await import('./may-be-ruled.ts')
  const { askPhone, unansweredWords } = await import('./relay-ask.ts')
  // No prompt stands beside it, so no terminal keeps the phones silent.
  const how = { localSurfaceAvailable: false, onlyByRule: true }
  const ask = { ...approvalAsk(context, call.toolUseId), ...how }
  const answer = await askPhone(context, ask, call.toolUseId)
  switch (answer.is) {
    case 'no_rule':
      return startsUnseen(context, matches, ask) ? deny(tooLongForRule()) : SILENT
    case 'ruled':
      return answer.decision === 'deny' ? deny(ruledOut(answer.reason)) : SILENT
    case 'unanswered':
      return deny(unansweredWords(answer))
    case 'stopped':
      return { is: 'deny', reason: STOPPED, interrupt: true }
    case 'answered': {
      if (answer.value !== 'yes')
        return deny(declined(answer.note))
        // The client's own prompt for this call need not ask them again.
      ;(await import('./spool.ts')).agreeTo(place, call, Date.now(), prompt)
      return SILENT
    }
    case 'nothing':
      return handOver(context, 'the server does not answer in time')
  }
}

function handOver(context: HookContext, why: string): Verdict {
  if (canHandOver(context)) return { is: 'ask', reason: askHereByRule(why) }
  return deny(notAskedByRule(why))
}

function deny(reason: string): Verdict {
  return { is: 'deny', reason }
}
