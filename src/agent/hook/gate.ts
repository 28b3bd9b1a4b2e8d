import { type HookCall, SILENT, type Verdict } from '../calls/tool-call.ts'
import { type HookContext, type SessionPlace, sessionOf } from '../session/context.ts'
import { anyScope, type FoundScope, findScope } from '../session/kept-scope.ts'
import {
  doubtful,
  faulty,
  noSession,
  offLimits,
  opaque,
  tooLong,
  unclear,
} from '../session/reasons.ts'
import { isToLookUp, lookUpScope, refreshIfStale, refreshScope } from '../session/refresh.ts'
import type { aboutOutside } from './ask-person.ts'

// State that is in doubt is fetched again, within this time, which nobody notices.
const HEAL_MS = 1_000
// Once for each scope; a large project takes longer.
const FIRST_LOOK_MS = 1_000

/**
 * Checks a tool call against the boundary that a person agreed to. Without a boundary, and for a call
 * within it, it says nothing, so that the client's own rules apply.
 */
export async function gate(context: HookContext): Promise<Verdict> {
  const { call, cut } = context
  const place = sessionOf(context)
  if (!place) {
    if (!isAnyInForce(context)) return await withoutScope(context)
    return (await mayChange(context)) ? deny(noSession()) : SILENT
  }
  const state = await trusted(context, place)
  if (state.is === 'kept') context.ruleMatches = state.kept.ruleMatches ?? []
  if (state.is === 'none') return await withoutScope(context)
  if (state.is === 'doubtful') {
    return (await mayChange(context)) ? deny(doubtful(place, state.why)) : SILENT
  }
  if (!state.kept.contract) return await withoutScope(context)
  await (await import('./how-contained.ts')).reportIfChanged(context, place)
  if ((cut && !saysItsPath(call)) || call.unread) return deny(tooLong())
  // Loaded only under a scope, because every call comes through here and most sessions have no
  // scope.
  const { judgeCall, rootsIn } = await import('./judge-call.ts')
  const judgement = await judgeCall(context, state.kept)
  switch (judgement.is) {
    case 'within':
      return await whileWithin(context, place, judgement)
    case 'off_limits':
      ;(await import('./tell-person.ts')).tellOnce(context, place, judgement)
      return deny(offLimits(judgement))
    case 'unclear':
      return deny(unclear(judgement))
    case 'outside': {
      const { withoutTemporary } = await import('./how-contained.ts')
      const places = await withoutTemporary(
        context,
        judgement.places,
        rootsIn(call, state.kept.roots),
      )
      const scope = { place, kept: state.kept }
      const verdict = places.length > 0 ? await ask(context, scope, places) : SILENT
      // A rule that allows a place says nothing about what else an open command may change.
      const isDone = context.agreed && judgement.taken === undefined
      if (verdict.is !== 'silent' || isDone) return verdict
      return await whileWithin(context, place, judgement)
    }
  }
}

/** Only what was understood or is contained passes without a question. */
async function whileWithin(
  context: HookContext,
  place: SessionPlace,
  { open, unnamed, taken }: { open?: string; unnamed?: string; taken?: string },
): Promise<Verdict> {
  if (taken !== undefined) return await askOnce(context, place, taken)
  const why = open ?? (context.strict ? unnamed : undefined)
  if (why === undefined) return SILENT
  if (context.strict) return handOver(context, opaque(why))
  if (await (await import('./how-contained.ts')).runsContained(context)) return SILENT
  const says = `Nothing contains this command, and what it may change is not known: ${why}`
  return await askOnce(context, place, says)
}

async function askOnce(context: HookContext, place: SessionPlace, says: string): Promise<Verdict> {
  const { askAboutStakes } = await import('./ask-stakes.ts')
  const verdict = await askAboutStakes(context, place, [{ says, names: [] }])
  if (verdict.is === 'silent') context.agreed = true
  return verdict
}

/** A hook that was set up wrong does not know whether a scope holds, so a change does not pass unsaid. */
async function withoutScope(context: HookContext): Promise<Verdict> {
  const { fault } = context
  if (fault === undefined || !(await mayChange(context))) return SILENT
  return handOver(context, faulty(fault))
}

/** Loaded only to ask a person, because nearly every call is decided without one. */
async function ask(...about: Parameters<typeof aboutOutside>): Promise<Verdict> {
  return await (await import('./ask-person.ts')).aboutOutside(...about)
}

/** The decision if the hook itself fails: a boundary that is in force still holds. */
export async function withoutGate(context: HookContext): Promise<Verdict> {
  if (context.call.event !== 'before_tool') return SILENT
  const place = sessionOf(context)
  const scope = place ? findScope(place, Date.now()) : undefined
  const none = scope && (scope.is === 'none' || (scope.is === 'kept' && !scope.kept.contract))
  const isHeld = !none && (scope !== undefined || isAnyInForce(context))
  if (isHeld && (await mayChange(context)))
    return deny(place ? doubtful(place, 'the hook failed') : noSession())
  const matches = scope?.is === 'kept' ? (scope.kept.ruleMatches ?? []) : []
  if (matches.length === 0) return SILENT
  return await (await import('./ask-by-rule.ts')).withoutAsking(context, matches)
}

/** The phone could show no more than the terminal does, or cannot be asked, so the terminal asks. */
function handOver({ client, call }: HookContext, reason: string): Verdict {
  return { is: client.canAsk(call) ? 'ask' : 'deny', reason }
}

function deny(reason: string): Verdict {
  return { is: 'deny', reason }
}

async function trusted(context: HookContext, place: SessionPlace): Promise<FoundScope> {
  const scope = findScope(place, Date.now())
  if (scope.is === 'doubtful') {
    await refreshScope(context, { event: 'heartbeat', ms: HEAL_MS })
  } else if (isToLookUp(context, place, scope)) {
    await lookUpScope(context, place)
  } else {
    refreshIfStale(context, place, scope)
    return scope
  }
  const now = findScope(place, Date.now())
  if (now.is === 'kept' && now.kept.contract) {
    const { startScan: beginLooking } = await import('./backstop.ts')
    await beginLooking(context, { ms: FIRST_LOOK_MS, onlyNew: true })
  }
  return now
}

function isAnyInForce({ state, call }: HookContext): boolean {
  return anyScope(state, call.client, Date.now())
}

/** Returns true if the call writes, as far as can be determined. Never throws. */
async function mayChange({ call, cut }: HookContext): Promise<boolean> {
  if (cut && !saysItsPath(call)) return true
  if (call.touches.some(({ touch }) => touch !== 'read')) return true
  if (call.command === undefined && call.scripts === undefined) return false
  try {
    const { touchedBy } = await import('./touched.ts')
    const { touches } = await touchedBy(call)
    return touches.some(({ touch }) => touch !== 'read')
  } catch {
    return true
  }
}

/**
 * Returns true if a call whose input was cut is known to touch one path only, so that the missing
 * part cannot name another.
 */
function saysItsPath({ command, touches, toolInput }: HookCall): boolean {
  const [only, more] = touches
  if (command !== undefined || !only || more) return false
  const fields = toolInput !== null && typeof toolInput === 'object' ? Object.values(toolInput) : []
  return fields.includes(only.path)
}
