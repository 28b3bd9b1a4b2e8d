import type { AuthoredTool } from '../records/authored.ts'
import type { DeskFinding, Level, Mark, ServedFinding } from '../records/desk.ts'
import { GRADING_RULES } from '../records/grading-rules.ts'
import type { Criterion } from '../records/methodology.ts'
import type { CriterionScore } from './add-up.ts'

const DAY_MS = 86_400_000

type DeskScore = Pick<CriterionScore, 'score' | 'reason' | 'evidence' | 'date' | 'findings'>

/**
 * The score that desk findings earn for a criterion on a day; null without a level. Undefined if
 * nothing was looked for.
 */
export function deskScore(
  { marks = [], levels = [] }: Criterion,
  tool: AuthoredTool,
  today: string,
): DeskScore | undefined {
  const own = marks.filter((mark) => appliesTo(mark, tool))
  const findings = own.flatMap((mark) => servedFinding(tool.desk, mark, today) ?? [])
  if (findings.length === 0) return undefined
  const held = new Set(findings.filter(counts).map(({ mark }) => mark))
  const { score, reached, next } = levelOf(levels, new Set(own.map(({ key }) => key)), held)
  const means = (keys: readonly string[]) =>
    own.flatMap((mark) => (keys.includes(mark.key) ? mark.means : []))
  const missing = next?.needs.filter((key) => !held.has(key)) ?? []
  const reason = [
    score === null ? 'Documents show no level of the scale.' : 'By documents that were read.',
    ...(reached ? [`Level ${reached.score}.`] : []),
    ...(next ? [`Not shown for ${next.score}:`, ...means(missing)] : []),
  ].join(' ')
  const days = findings.flatMap(({ date }) => date ?? []).sort()
  const date = days[0]
  return {
    score,
    reason,
    ...(score === null ? {} : { evidence: [...new Set(findings.filter(counts).map(urlOf))] }),
    ...(score === null || date === undefined ? {} : { date }),
    findings,
  }
}

function appliesTo({ where, kinds }: Mark, tool: AuthoredTool): boolean {
  if (kinds && tool.kind !== 'unknown' && !kinds.includes(tool.kind)) return false
  return !where || tool.where === 'unknown' || where.includes(tool.where)
}

function servedFinding(
  desk: readonly DeskFinding[] = [],
  { key, means, days }: Mark,
  today: string,
): ServedFinding | undefined {
  const finding = desk.find(({ mark }) => mark === key)
  if (!finding) return undefined
  const { read, ...fields } = finding
  const until = dayAfter(finding.date ?? read, days)
  return { ...fields, means, until, counts: today <= until }
}

function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)
}

function counts({ answer, counts }: ServedFinding): boolean {
  return counts && answer === 'yes'
}

function urlOf({ url }: ServedFinding): string {
  return url
}

type Earned = { score: number | null; reached?: Level | undefined; next?: Level | undefined }

/** The highest level that marks earn, and what a part of the next one adds. */
function levelOf(
  levels: readonly Level[],
  own: ReadonlySet<string>,
  held: ReadonlySet<string>,
): Earned {
  const scale = levels.map((level) => ({
    ...level,
    needs: level.needs.filter((key) => own.has(key)),
  }))
  const holds = (level: Level) =>
    level.needs.length > 0 && level.needs.every((key) => held.has(key))
  let at = -1
  for (const [i, level] of scale.entries()) {
    if (holds(level) && (level.alone || at === i - 1)) at = i
  }
  const reached = scale[at]
  const next = scale[at + 1]
  if (!reached) return { score: null, next }
  const isPartly = next?.needs.some((key) => held.has(key)) ?? false
  return { score: reached.score + (isPartly ? GRADING_RULES.desk.odd : 0), reached, next }
}
