import { cleanLine } from '../../platform/text.ts'
import { gradeOfScore } from '../grading/bands.ts'
import type { BreakdownItem, CatalogBlock, Grading } from '../records/grading.ts'
import type { Methodology } from '../records/methodology.ts'

/** The heading above the sum. */
export type ExplainedTool = { name: string; slug: string; category: string; today: string }

/** The calculation of one grade, line by line, so that a reader can check it by hand. */
export function explainGrade(
  { name, slug, category, today }: ExplainedTool,
  { catalog, breakdown }: Grading,
  methodology: Methodology,
): string {
  const parts = [
    [`${name} (${slug}), methodology ${catalog.methodology}, as of ${today}`],
    sumLines(breakdown),
    ...(hasSum(catalog, breakdown) ? [totalLines(catalog, breakdown)] : []),
    coverageLines(breakdown, methodology),
    gradeLines(catalog, methodology),
    placeLines(catalog, category),
    reasonLines(breakdown),
  ]
  return parts.map((lines) => lines.map(indented).join('\n')).join('\n\n')
}

function sumLines(breakdown: readonly BreakdownItem[]): string[] {
  const scored = breakdown.filter(({ score }) => score !== null)
  const applicable = breakdown.filter(({ state }) => state !== 'not-applicable')
  const row = (cells: readonly string[]) =>
    `${cells[0]?.padEnd(16)}${cells
      .slice(1)
      .map((cell) => cell.padStart(9))
      .join('')}`.trimEnd()
  return [
    row(['criterion', 'weight', 'share %', '× score', '= points']),
    ...breakdown.map(({ key, weight, effectiveWeight, score, points, state }) => {
      if (state === 'not-applicable') return row([key, String(weight), '-', 'n/a', '-'])
      const share = effectiveWeight.toFixed(2)
      if (score === null) return row([key, String(weight), share, 'pending', (0).toFixed(3)])
      return row([key, String(weight), share, `${score}/10`, points.toFixed(3)])
    }),
    row(['', '------', '------', '', '------']),
    row([
      'applies',
      String(weightOf(applicable)),
      (applicable.length > 0 ? 100 : 0).toFixed(2),
      '',
      (thousandths(breakdown) / 1000).toFixed(3),
    ]),
    '',
    ...(scored.length === 0
      ? ['Nothing is scored yet.']
      : [
          `Share: weight / ${weightOf(applicable)}, cut to two decimals; the hundredths that are left over go, one each, to`,
          'the largest remainders, so that the column is 100.00. Points: share × score / 10; 0 while pending.',
        ]),
  ]
}

function hasSum({ negative }: CatalogBlock, breakdown: readonly BreakdownItem[]): boolean {
  return negative !== 0 || breakdown.some(({ score }) => score !== null)
}

function totalLines({ negatives = [], negative }: CatalogBlock, breakdown: BreakdownItem[]) {
  const row = (label: string, value: string) => `${label.padEnd(43)}${value.padStart(9)}`
  const sum = thousandths(breakdown) + negative * 1000
  const clamped = clampParts(sum)
  const open = breakdown.reduce((most, row) => most + Math.round((row.pointsMost ?? 0) * 1000), 0)
  const each = negatives.map(({ code, points, expires, reason, source }) =>
    row(`  ${code}, to ${expires}`, String(points)).concat(`  ${reason} ${source}`),
  )
  const all = negatives.reduce((total, { points }) => total + points, 0)
  const floor = all < negative ? ` (${all}, and never more than ${-negative})` : ''
  return [
    row('points', (thousandths(breakdown) / 1000).toFixed(3)),
    ...each,
    row(`deductions${floor}`, negative.toFixed(3)),
    row('sum', (sum / 1000).toFixed(3)),
    ...(clamped === sum ? [] : [row('held within 0 and 100', (clamped / 1000).toFixed(3))]),
    row('to one decimal, half up', inTenths(sum)),
    ...(open > 0 ? [row('at most, with what is pending', inTenths(sum + open))] : []),
  ]
}

function clampParts(parts: number): number {
  return Math.min(Math.max(parts, 0), 100_000)
}

function inTenths(parts: number): string {
  return (Math.floor((clampParts(parts) + 50) / 100) / 10).toFixed(1)
}

function coverageLines(breakdown: readonly BreakdownItem[], { coverage }: Methodology): string[] {
  const scored = weightOf(breakdown.filter(({ score }) => score !== null))
  const applicable = weightOf(breakdown.filter(({ state }) => state !== 'not-applicable'))
  const share = applicable === 0 ? 0 : Math.floor((scored * 10_000) / applicable) / 100
  return [
    `Coverage: ${scored} of the ${applicable} that apply is ${share} %. Graded from ${percent(coverage.graded)} %, not capped from ${percent(coverage.full)} %.`,
  ]
}

function gradeLines(catalog: CatalogBlock, { bands }: Methodology): string[] {
  const { score, grade, gates = [], agentReady, agentReadyMissing = [] } = catalog
  const byScore =
    score === null
      ? 'Score: none. Too little is known of it for a grade.'
      : `Score: ${score.toFixed(1)} is ${gradeOfScore(bands, Math.round(score * 10))}.`
  return [
    byScore,
    ...gates.map(
      ({ code, cap, reason, evidence, date }) =>
        `Gate: ${code} caps at ${cap}. ${[reason, date, evidence].filter(Boolean).join(' ')}`,
    ),
    ...(gates.length === 0 ? ['Gates: none is closed.'] : []),
    `Grade: ${grade ?? 'none'}`,
    agentReady ? 'Agent ready: yes' : 'Agent ready: no. This does not hold:',
    ...agentReadyMissing.map((demand) => `  ${demand}`),
  ]
}

function placeLines({ rank, rankOf, categoryRank, assessment }: CatalogBlock, category: string) {
  const { confidence, date } = assessment
  const assessed = `Assessment: confidence ${confidence}${date ? `, ${date}` : ''}.`
  if (rank === null) return [`${assessed} Not ranked.`]
  return [`${assessed} Rank ${rank} of ${rankOf}, ${categoryRank} in ${category}.`]
}

function reasonLines(breakdown: readonly BreakdownItem[]): string[] {
  return breakdown.map(({ key, score, state, reason, date, evidence = [] }) =>
    [`${key} ${score ?? state}: ${reason}`, ...(date ? [date] : []), ...evidence].join(' '),
  )
}

// Text of a record must not start a new line or move the cursor.
function indented(line: string): string {
  return `${/^ */.exec(line)?.[0] ?? ''}${cleanLine(line)}`
}

function weightOf(rows: readonly BreakdownItem[]): number {
  return rows.reduce((sum, { weight }) => sum + weight, 0)
}

function thousandths(rows: readonly BreakdownItem[]): number {
  return rows.reduce((sum, { points }) => sum + Math.round(points * 1000), 0)
}

function percent(share: number): number {
  return Math.round(share * 10_000) / 100
}
