import { isChannel, type Recipient } from '../../telling/model/recipient.ts'
import type { Target } from '../../votes/model/target.ts'

/** Whom to tell next, and how long after the step before it, in milliseconds. */
export type Step = { afterMs: number; tell: Target[] }

/** Somebody and a time: when they were told, or when their quiet hours end. */
export type TimedRecipient = { personId: Recipient; at: number }

/** How far the telling of one question is. */
export type EscalationState = {
  /** The steps that are left, the next one first. */
  steps: Step[]
  told: TimedRecipient[]
  /** Those who are told when their quiet hours end. */
  waiting: TimedRecipient[]
  /** When the next step is due; null without one. */
  stepAt: number | null
}

/** The facts of one moment, none of which is stored. */
export type EscalationWorld = {
  /** When the question ends. */
  endsAt: number
  /** Whom these targets stand for now. */
  recipients(tell: readonly Target[]): readonly Recipient[]
  /** False for whoever has voted, may not take part, or has nothing that rings. */
  mayTell(recipient: Recipient): boolean
  /** False for somebody who has left. */
  isHere(recipient: Recipient): boolean
  /** When the quiet hours of somebody end; undefined if they have none now. */
  quietUntil(recipient: Recipient): number | undefined
}

/** What a step leaves, and whom it rings. */
export type StepResult = { state: EscalationState; ring: Recipient[] }

/**
 * Tells everybody whose turn has come by `now`. A step that rings nobody takes no time: the next is
 * due at once. So it is when nobody is left of those who were told.
 */
export function step(before: EscalationState, now: number, world: EscalationWorld): StepResult {
  const notified = [...before.told]
  const ring: Recipient[] = []
  const waiting = before.waiting.filter(({ at }) => at > now)
  const has = (list: readonly TimedRecipient[], who: Recipient) =>
    list.some(({ personId }) => personId === who)
  const tell = (personId: Recipient): boolean => {
    if (has(notified, personId) || has(waiting, personId) || !world.mayTell(personId)) return false
    const quietUntil = world.quietUntil(personId)
    if (quietUntil !== undefined) {
      waiting.push({ personId, at: quietUntil })
      return false
    }
    notified.push({ personId, at: now })
    ring.push(personId)
    return true
  }
  if (now >= world.endsAt)
    return { state: { ...before, waiting: [], steps: [], stepAt: null }, ring }
  for (const { personId, at } of before.waiting) if (at <= now) tell(personId)
  let { steps, stepAt } = before
  const people = notified.filter(({ personId }) => !isChannel(personId))
  if (people.length > 0 && !people.some(({ personId }) => world.isHere(personId))) stepAt = now
  for (let next = steps[0]; next && stepAt !== null && stepAt <= now; next = steps[0]) {
    const rang = world.recipients(next.tell).map(tell).some(Boolean)
    steps = steps.slice(1)
    stepAt = now + (rang ? (steps[0]?.afterMs ?? 0) : 0)
  }
  return {
    state: { steps, told: notified, waiting, stepAt: steps.length > 0 ? stepAt : null },
    ring,
  }
}

/** The state of a question that is asked now: the first people are told at once. */
export function start(
  first: readonly Recipient[],
  steps: Step[],
  now: number,
  world: EscalationWorld,
): StepResult {
  const all = [{ afterMs: 0, tell: [] }, ...steps]
  const recipients: EscalationWorld['recipients'] = (tell) =>
    tell.length === 0 ? first : world.recipients(tell)
  const state = { steps: all, told: [], waiting: [], stepAt: now }
  return step(state, now, { ...world, recipients })
}

/** The same with the next step later, or sooner if `ms` is below zero; quiet hours end when they do. */
export function delay(state: EscalationState, ms: number): EscalationState {
  return { ...state, stepAt: state.stepAt === null ? null : state.stepAt + ms }
}

/** When somebody is to be told next; null if nobody is before the question ends. */
export function dueAtOf({ stepAt, waiting }: EscalationState, endsAt: number): number | null {
  const times = [...(stepAt === null ? [] : [stepAt]), ...waiting.map(({ at }) => at)]
  const next = Math.min(...times)
  return next < endsAt ? next : null
}
