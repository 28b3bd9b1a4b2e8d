import { factsOfReport } from '../../ask/wire/call-facts.ts'
import type { CallMatch } from '../../ask/wire/call-match.ts'
import { type CallFacts, matchesCall } from '../../ask/wire/matches-call.ts'
import { reportedTool } from '../own-tools.ts'
import type { HookContext } from '../session/context.ts'
import { whereOf } from '../session/refresh.ts'
import { callPlace, targetOf, toolNameOf } from './call-target.ts'

type Field = keyof CallMatch

// Where reading them costs more than the look at the tool, by which nearly all calls pass.
const LATER: readonly Field[] = ['repoKey', 'toolTarget', 'agentName']

/**
 * Returns true if one of the matches may be about the call, also because something that it names is
 * not known. A match without a tool leaves out what changes nothing, which clients do all the time.
 */
export function mayBeRuled(context: HookContext, matches: readonly CallMatch[]): boolean {
  const { call, service, cut } = context
  const isMild = call.changesNothing || reportedTool(call.toolName ?? '') !== undefined
  const unknown: Field[] = [
    ...(cut ? LATER : []),
    ...(cut && call.toolName === undefined ? (['toolName'] as const) : []),
    ...(service ? [] : (['machineId'] as const)),
  ]
  const tool = { toolName: toolNameOf(call), machineId: service?.machineId }
  const left = matches.filter(
    (match) =>
      !(isMild && match.toolName === undefined) &&
      mayMatch(match, factsOfReport(tool), [...LATER, ...unknown]),
  )
  if (left.length === 0) return false
  const { repoKey, agentName } = whereOf(context)
  const facts = factsOfReport({
    ...{ ...tool, repoKey, agentName, reading: call.command !== undefined },
    ...targetOf(call, callPlace(call)?.name),
  })
  return left.some((match) => mayMatch(match, facts, unknown))
}

function mayMatch(match: CallMatch, facts: CallFacts, unknown: readonly Field[]): boolean {
  const fields = Object.entries(match).filter(([field]) => !unknown.includes(field as Field))
  return matchesCall(Object.fromEntries(fields), facts)
}
