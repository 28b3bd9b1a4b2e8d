import type { ProbeOutcome } from './table.ts'

/**
 * Whether a tool was there: a demand for credentials is an answer, and so is a refusal of this way
 * of asking. Undefined where the probe says nothing about the tool.
 */
const UP: Record<ProbeOutcome, boolean | undefined> = {
  open: true,
  gated: true,
  'wrong-transport': true,
  'not-mcp': false,
  dead: false,
  unknown: undefined,
}

export function isUp(outcome: ProbeOutcome): boolean | undefined {
  return UP[outcome]
}
