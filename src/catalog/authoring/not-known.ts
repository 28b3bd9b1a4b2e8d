import { probeTargetOf, unknownWords } from '../facts/answers/fact.ts'
import type { AuthoredChange, AuthoredTool } from '../records/authored.ts'
import { lastDayOf } from '../records/change.ts'
import type { Live } from '../records/live.ts'
import type { NotKnown, Question } from '../records/not-known.ts'

type Facts = {
  tool: AuthoredTool
  live: Live
  toolCount: number | null
  /** Of this tool alone. */
  changes: readonly AuthoredChange[]
  today: string
}

const NOT_SAID = 'the record does not say'

/** Why each question is open; undefined where it has an answer. */
const WHY: Record<Question, (facts: Facts) => string | undefined> = {
  up: whyUpIsNotKnown,
  auth: ({ tool }) => (tool.auth === 'unknown' ? NOT_SAID : undefined),
  pricing: ({ tool }) => (tool.pricing === 'unknown' ? NOT_SAID : undefined),
  where: ({ tool }) => (tool.where === 'unknown' ? NOT_SAID : undefined),
  x402: ({ tool }) => (tool.x402 ? undefined : NOT_SAID),
  ended: whyEndIsNotKnown,
  toolCount: whyCountIsNotKnown,
}

/** The questions that a record leaves open, each with its reason. */
export function notKnownOf(facts: Facts): NotKnown[] {
  return Object.entries(WHY).flatMap(([field, look]) => {
    const why = look(facts)
    return why === undefined ? [] : [{ field, why }]
  })
}

function whyUpIsNotKnown({ tool, live: { probe } }: Facts): string | undefined {
  if (tool.probe?.off) return 'its record says that it is never measured'
  if (!probeTargetOf(tool)) return 'it has no address'
  if (!probe) return 'not measured yet'
  return probe.lastOk === undefined ? unknownWords(probe) : undefined
}

/** A shutdown in a month, quarter or year that has begun may be past or still to come. */
function whyEndIsNotKnown({ changes, today }: Facts): string | undefined {
  const open = changes.find(
    ({ kind, status, date, datePrecision }) =>
      kind === 'shutdown' &&
      status !== 'withdrawn' &&
      date <= today &&
      today < lastDayOf(date, datePrecision),
  )
  return open && `announced for a ${open.datePrecision} that is not over`
}

function whyCountIsNotKnown({ tool, live: { mcpTools }, toolCount }: Facts): string | undefined {
  if (toolCount !== null || (tool.kind !== 'mcp' && !mcpTools)) return undefined
  if (mcpTools?.status === 'auth') return 'it asks for credentials'
  if (mcpTools) return 'it did not give its whole list of tools'
  return 'not measured yet'
}
