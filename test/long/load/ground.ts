import { type Classes, createClasses } from './classes.ts'
import { createTimes, type Spread, type Times } from './figures.ts'
import type { GeneratorPlan } from './plan.ts'

/** What everything that makes load shares. */
export type Ground = {
  plan: GeneratorPlan
  classes: Classes
  times: Record<Timed, Times>
  ledger: Ledger
  /** Aborted when nothing new is begun any more. */
  over: AbortSignal
}

/** What is measured, as the table names it. */
export const TIMED = {
  ask: 'ask in a burst, wait:false',
  held: 'held ask until its reply begins',
  cancel: 'cancel',
  answer: 'answer until the person is told',
  reply: 'answer until the waiting agent has it',
  event: 'notification until a page has it',
  notify: 'notification',
} as const
export type Timed = keyof typeof TIMED

/** What was acknowledged, to be compared with what is found. */
export type Ledger = {
  /** By the key of the ask: the id that was acknowledged. */
  asked: Map<string, string>
  /** Questions that were answered, with when the answer was sent. */
  answered: Map<string, number>
  /** Questions whose waiting agent had the right answer. */
  heard: Set<string>
  cancelled: Set<string>
}

/** What the generator writes down at its end. */
export type GeneratorReport = {
  counts: Record<string, number>
  unknown: string[]
  times: Record<Timed, Spread>
  asked: Array<[key: string, id: string]>
  answered: string[]
  heard: string[]
  cancelled: string[]
}

export function createGround(plan: GeneratorPlan, over: AbortSignal): Ground {
  const names = Object.keys(TIMED) as Timed[]
  const times = Object.fromEntries(names.map((name) => [name, createTimes()]))
  return {
    ...{ plan, over, classes: createClasses() },
    times: times as Record<Timed, Times>,
    ledger: { asked: new Map(), answered: new Map(), heard: new Set(), cancelled: new Set() },
  }
}

export function createReport({ classes, times, ledger }: Ground): GeneratorReport {
  const spreads = Object.entries(times).map(([name, one]) => [name, one.told()])
  return {
    counts: Object.fromEntries(classes.counts),
    unknown: classes.unknown,
    times: Object.fromEntries(spreads),
    asked: [...ledger.asked],
    answered: [...ledger.answered.keys()],
    heard: [...ledger.heard],
    cancelled: [...ledger.cancelled],
  }
}

/** The answer that the person gives to a question, which every other part can tell, too. */
export function answerTo(id: string, type: string): string {
  if (type === 'input') return `the answer to ${id}`
  return id.charCodeAt(id.length - 1) % 2 === 0 ? 'yes' : 'no'
}
