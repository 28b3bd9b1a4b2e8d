import type { AppliedGate } from '../records/grading.ts'
import type { Methodology } from '../records/methodology.ts'
import { isBelow } from './bands.ts'
import { isAsSureAs } from './confidence.ts'

export type ReadyFacts = {
  graded: boolean
  confidence: string
  /** Of the criteria that are scored. */
  scores: Readonly<Record<string, number>>
  gates: readonly AppliedGate[]
}

/**
 * What keeps a tool from being handed to an agent without a person: one sentence for each demand
 * that does not hold; none when it is ready. Never a part of the score.
 */
export function missingForAgents(methodology: Methodology, facts: ReadyFacts): string[] {
  if (!facts.graded) return ['It is not graded.']
  return methodology.agentReady
    .filter((demand) => !holds(methodology, demand, facts))
    .map(({ means }) => means)
}

type Demand = Methodology['agentReady'][number]

function holds({ bands }: Methodology, demand: Demand, facts: ReadyFacts): boolean {
  const { confidence, grade, criterion, atLeast = 0 } = demand
  if (confidence !== undefined && !isAsSureAs(facts.confidence, confidence)) return false
  if (grade !== undefined && facts.gates.some(({ cap }) => isBelow(bands, cap, grade))) return false
  if (criterion === undefined) return true
  const score = Object.hasOwn(facts.scores, criterion) ? facts.scores[criterion] : undefined
  return score !== undefined && score >= atLeast
}
