import {
  type AppliedGate,
  type AppliedNegative,
  type BreakdownItem,
  endedBy,
} from '../../records/grading.ts'
import type { ToolDetail } from '../../records/tool.ts'
import { mdAddress, mdText } from './escape.ts'
import { factLine, joinedWords } from './lines.ts'

/** The grade in a line: `A, 84.3 of 100, rank 3 of 120, …`; an ended tool says so first. */
export function gradeLine({ catalog }: Pick<ToolDetail, 'catalog'>): string {
  const gate = endedBy(catalog)
  const ended = gate ? [mdText(gate.code.replace('-', ' ')), ...dateOf(gate)].join(' since ') : ''
  if (!catalog.graded || catalog.score === null) return ended || 'not graded'
  const parts = [
    ...(ended ? [ended] : []),
    `${mdText(catalog.grade ?? 'no grade')}, ${catalog.score} of 100`,
  ]
  if (catalog.ranked && catalog.rank !== null) {
    parts.push(`rank ${catalog.rank} of ${catalog.rankOf}`)
  }
  parts.push(`${mdText(catalog.assessment.confidence)} confidence`)
  parts.push(catalog.agentReady ? 'agent-ready' : 'not agent-ready')
  return parts.join(', ')
}

function dateOf({ date }: AppliedGate): string[] {
  return date === undefined ? [] : [mdText(date)]
}

/** The whole grade, with enough to check its calculation. */
export function gradeLines(tool: ToolDetail): string[] {
  const { catalog } = tool
  return [
    ...factLine('Grade', gradeLine(tool)),
    ...factLine('Methodology', `${mdText(catalog.methodology)}, run of ${mdText(catalog.run)}`),
    ...factLine('Assessed', catalog.assessment.date ?? undefined),
    ...factLine('Pending', joinedWords(catalog.pending)),
    ...factLine('Does not apply', joinedWords(catalog.notApplicable ?? [])),
    ...(catalog.graded ? sumLines(tool) : []),
    ...(catalog.negatives ?? []).map(negativeLine),
    ...catalog.history.map(
      (past) =>
        `- Run ${mdText(past.runLabel || past.run)}: ${mdText(past.grade ?? 'not graded')}` +
        (past.score === null ? '' : `, ${past.score} of 100`),
    ),
  ]
}

function sumLines({ catalog, breakdown }: ToolDetail): string[] {
  return [
    ...factLine('Missing to be agent-ready', joinedWords(catalog.agentReadyMissing ?? [])),
    ...breakdown.map(sumLine),
    ...(catalog.gates ?? []).map(gateLine),
  ]
}

function sumLine(row: BreakdownItem): string {
  const reason = row.reason === '' ? '' : `. ${mdText(row.reason)}`
  if (row.pointsMost !== undefined) {
    return `- ${mdText(row.name)}: pending, weight ${row.effectiveWeight} %, up to ${row.pointsMost} points${reason}`
  }
  if (row.score === null) return `- ${mdText(row.name)}: does not apply${reason}`
  return `- ${mdText(row.name)}: ${row.score} of 10, weight ${row.effectiveWeight} %, ${row.points} points${reason}`
}

function gateLine(gate: AppliedGate): string {
  const evidence = gate.evidence ? ` (${mdAddress(gate.evidence)})` : ''
  return `- At most ${mdText(gate.cap)}: ${mdText(gate.reason)}${evidence}`
}

function negativeLine(negative: AppliedNegative): string {
  const until = `until ${mdText(negative.expires)}`
  return `- ${negative.points} points ${until}: ${mdText(negative.reason)} (${mdAddress(negative.source)})`
}
