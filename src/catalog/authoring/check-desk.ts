import { suggest } from '../../platform/did-you-mean.ts'
import { describe } from '../../platform/yaml/value-words.ts'
import type { AuthoredTool } from '../records/authored.ts'
import type { DeskFinding } from '../records/desk.ts'
import { GRADING_RULES } from '../records/grading-rules.ts'
import type { Folder, ReportProblem } from './folder.ts'

/** Checks desk reviews against the tools, the marks of the methodology, and each other. */
export function checkDesk(
  { desk, methodology }: Folder,
  slugs: ReadonlySet<string>,
  report: ReportProblem,
): void {
  const marks = (methodology?.value.criteria ?? []).flatMap(({ marks = [] }) => marks)
  const keys = marks.map(({ key }) => key)
  const earlier = new Set<string>()
  for (const { parsed, value } of desk) {
    for (const [i, slug] of value.tools.entries()) {
      if (slugs.has(slug)) continue
      report(parsed, `/tools/${i}`, `the slug of a tool${suggest(slug, slugs)}`, describe(slug))
    }
    for (const [i, { mark, date, dated }] of value.findings.entries()) {
      const at = `/findings/${i}`
      if (methodology && !keys.includes(mark)) {
        const expected = `a mark of the methodology${suggest(mark, keys)}`
        report(parsed, `${at}/mark`, expected, describe(mark))
      }
      if ((date === undefined) !== (dated === 'unknown')) {
        const expected = date === undefined ? 'unknown, as there is no date' : 'document or copy'
        report(parsed, `${at}/dated`, expected, describe(dated))
      }
      for (const tool of value.tools) {
        const once = `${tool} ${mark}`
        if (earlier.has(once)) {
          report(parsed, `${at}/mark`, `each mark once for ${tool}`, describe(mark))
        }
        earlier.add(once)
      }
    }
  }
}

type Desk = Pick<AuthoredTool, 'desk'> & { assessment?: NonNullable<AuthoredTool['assessment']> }

/** The findings of each tool by slug, with the assessment that they are. */
export function deskOf(files: Folder['desk']): Map<string, Desk> {
  const findings = files.flatMap(({ value: { read, tools, findings } }) =>
    tools.flatMap((slug) => findings.map((finding) => ({ slug, finding: { ...finding, read } }))),
  )
  const bySlug = Map.groupBy(findings, ({ slug }) => slug)
  return new Map(
    [...bySlug].map(([slug, rows]) => {
      const desk = rows.map(({ finding }) => finding)
      return [slug, { desk, assessment: assessmentOf(desk) }]
    }),
  )
}

function assessmentOf(desk: readonly DeskFinding[]): NonNullable<AuthoredTool['assessment']> {
  const dated = desk.filter(({ date }) => date !== undefined).length
  const isDated = dated >= desk.length * GRADING_RULES.desk.datedLeast
  const date =
    desk
      .map(({ read }) => read)
      .sort()
      .at(-1) ?? ''
  return { confidence: isDated ? 'medium' : 'low', date }
}
