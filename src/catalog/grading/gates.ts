import type { AuthoredChange, AuthoredTool } from '../records/authored.ts'
import { lastDayOf } from '../records/change.ts'
import { type AppliedGate, CONFIDENCES } from '../records/grading.ts'
import type { Live } from '../records/live.ts'
import type { Methodology } from '../records/methodology.ts'

type Gate = Methodology['gates'][number]

/** The facts that gates use. */
export type GateFacts = {
  tool: AuthoredTool
  /** Of this tool alone. */
  changes: readonly AuthoredChange[]
  live: Live | undefined
  graded: boolean
  confidence: string
  today: string
}

/** The result of a gate; its code and cap are those of the methodology. */
type GateFinding = Omit<AppliedGate, 'code' | 'cap'>

/** The automatic gates; the curator closes the others. */
const BY_THEMSELVES: Record<string, (gate: Gate, facts: GateFacts) => GateFinding | undefined> = {
  'shut-down': isShutDown,
  'shutdown-soon': shutsDownSoon,
  archived: isArchived,
  'uptime-low': uptimeIsLow,
  'uptime-very-low': uptimeIsLow,
  'expired-tls': hasAnExpiredCertificate,
  'clear-text-credentials': sendsCredentialsInTheClear,
  'low-confidence': isOfLowConfidence,
}

/** Every gate closed on a day, with its evidence, in the order of the methodology. */
export function closedGates(methodology: Methodology, facts: GateFacts): AppliedGate[] {
  return methodology.gates.flatMap((gate) => {
    const look = Object.hasOwn(BY_THEMSELVES, gate.code) ? BY_THEMSELVES[gate.code] : undefined
    const finding = look?.(gate, facts) ?? findDecision(gate, facts)
    return finding ? [{ code: gate.code, cap: gate.cap, ...finding }] : []
  })
}

function findDecision({ code }: Gate, { tool, today }: GateFacts): GateFinding | undefined {
  const decision = tool.gates?.find(
    (gate) => gate.code === code && gate.date <= today && today <= (gate.until ?? today),
  )
  return decision && { reason: decision.reason, evidence: decision.source, date: decision.date }
}

function isShutDown(_: Gate, { changes, today }: GateFacts): GateFinding | undefined {
  const over = shutdowns(changes).find(({ last }) => last <= today)
  return over && { reason: over.what, evidence: over.source, date: over.date }
}

function shutsDownSoon({ days = 0 }: Gate, { changes, today }: GateFacts): GateFinding | undefined {
  const soon = shutdowns(changes).find(
    ({ date, last }) => last > today && daysBetween(today, date) <= days,
  )
  return soon && { reason: soon.what, evidence: soon.source, date: soon.date }
}

/** Changes still to come, soonest first; a date that means a month ends with the month. */
function shutdowns(changes: readonly AuthoredChange[]) {
  return changes
    .filter(({ kind, status }) => kind === 'shutdown' && status !== 'withdrawn')
    .map((change) => ({ ...change, last: lastDayOf(change.date, change.datePrecision) }))
    .sort((a, b) => (`${a.date} ${a.id}` < `${b.date} ${b.id}` ? -1 : 1))
}

function uptimeIsLow({ below, samples }: Gate, { live }: GateFacts): GateFinding | undefined {
  const probe = live?.probe
  if (!probe || probe.uptime30d === null || below === undefined) return undefined
  if (probe.samples30d < (samples ?? 1) || probe.uptime30d >= below) return undefined
  return {
    reason: `${probe.uptime30d} % of ${probe.samples30d} probes in 30 days were answered.`,
    evidence: probe.target,
    date: probe.lastAt.slice(0, 10),
  }
}

function isArchived(_: Gate, { tool, live }: GateFacts): GateFinding | undefined {
  const repository = live?.repository
  // For a hosted service the repository is only a client of it.
  if (!repository?.archived || tool.where === 'hosted') return undefined
  const { url, since, checkedAt } = repository
  const date = (since ?? checkedAt).slice(0, 10)
  return { reason: 'Its repository is archived.', evidence: url, date }
}

function hasAnExpiredCertificate(_: Gate, { live }: GateFacts): GateFinding | undefined {
  const certificate = live?.certificate
  if (certificate?.status !== 'expired') return undefined
  const { url, since, checkedAt } = certificate
  const date = (since ?? checkedAt).slice(0, 10)
  return { reason: 'Its certificate has expired.', evidence: url, date }
}

function sendsCredentialsInTheClear(_: Gate, { tool }: GateFacts): GateFinding | undefined {
  const { remoteUrl, auth } = tool
  if (auth === 'none' || remoteUrl === undefined || !URL.canParse(remoteUrl)) return undefined
  const { protocol, hostname } = new URL(remoteUrl)
  if (protocol !== 'http:' || /^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname)) return undefined
  return { reason: 'Its address is http, and it asks for credentials.', evidence: remoteUrl }
}

function isOfLowConfidence(
  _: Gate,
  { tool, graded, confidence }: GateFacts,
): GateFinding | undefined {
  // Without a grade there is no confidence to compare.
  if (!graded || isAsSureAs(confidence, 'medium')) return undefined
  if (!tool.assessment) return { reason: 'Nobody said how sure the assessment is.' }
  return { reason: `The assessment is of ${confidence} confidence.`, date: tool.assessment.date }
}

const DAY = 86_400_000

/**
 * Whole days from one date to another (`YYYY-MM-DD`, without a time zone); negative if `to` is
 * earlier.
 */
export function daysBetween(from: string, to: string): number {
  return (Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY
}

const NAMES: readonly string[] = CONFIDENCES

/** True if one confidence is at least another; an unknown word is below all. */
export function isAsSureAs(confidence: string, least: string): boolean {
  const [place, limit] = [NAMES.indexOf(confidence), NAMES.indexOf(least)]
  return place >= 0 && limit >= 0 && place <= limit
}
