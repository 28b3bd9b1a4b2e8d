import { isPermission, type Question } from '../questions/model/question.ts'
import type { Outcome } from './outcome.ts'

/** How many calls would end so. */
export type OutcomeCount = { outcome: Outcome; calls: number }

/** Calls that would end otherwise, all in the same way. */
export type ChangedCalls = {
  before: Outcome
  now: Outcome
  calls: number
  /** Some of them. */
  examples: Array<{ id: string; tool?: string; target?: string }>
}

const EXAMPLES = 3

/** Counts calls by how they would end, and groups those that would end otherwise. */
export function createTally() {
  let calls = 0
  const outcomes = new Map<string, OutcomeCount>()
  const changed = new Map<string, ChangedCalls>()
  return {
    add(question: Question, before: Outcome, now: Outcome) {
      calls++
      const one = outcomes.getOrInsertComputed(JSON.stringify(now), () => ({
        outcome: now,
        calls: 0,
      }))
      one.calls++
      if (before.is === now.is && before.of === now.of) return
      const key = JSON.stringify([before, now])
      const group = changed.getOrInsertComputed(key, () => ({
        ...{ before, now, calls: 0, examples: [] },
      }))
      group.calls++
      if (group.examples.length < EXAMPLES) group.examples.push(exampleOf(question))
    },
    result: () => ({
      calls,
      outcomes: [...outcomes.values()].sort((a, b) => b.calls - a.calls),
      changed: [...changed.values()].sort((a, b) => b.calls - a.calls),
    }),
  }
}

function exampleOf(question: Question): ChangedCalls['examples'][number] {
  const { id, detail } = question
  const { toolName: tool, toolTarget: target } = detail
  if (!isPermission(question)) return { id }
  return { id, ...(tool !== undefined && { tool }), ...(target !== undefined && { target }) }
}
