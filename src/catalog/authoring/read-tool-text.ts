import { suggest } from '../../platform/did-you-mean.ts'
import { describe } from '../../platform/yaml/value-words.ts'
import type { ToolText } from '../records/authored.ts'
import type { FileProblem } from '../records/problem.ts'
import { unsafeIn } from './check-file.ts'

const SECTIONS = { Verdict: 'verdict', Notes: 'notes', 'Agent notes': 'agentNotes' } as const
const VERDICT_MAX = 4000
const ITEM_MAX = 2000
const ITEMS_MAX = 50

type Section = { heading: string; line: number; paragraphs: Array<{ line: number; text: string }> }

/** `tools/SLUG.md`: the sections Verdict, Notes and Agent notes; an item is a point or a paragraph. */
export function readToolText(file: string, text: string): ToolText | FileProblem[] {
  const problems: FileProblem[] = []
  const report = (line: number, field: string, expected: string, what: string) =>
    problems.push({ file, line, field, expected, found: what })

  const toolText: ToolText = { verdict: '', notes: [], agentNotes: [] }
  const bad = unsafeIn(text)
  if (bad) {
    const line = text.split('\n').findIndex((it) => unsafeIn(it)) + 1
    report(line, '', 'text without control or direction characters', bad)
    return problems
  }
  const earlier = new Set<string>()
  for (const { heading, line, paragraphs } of sectionsOf(text)) {
    if (!Object.hasOwn(SECTIONS, heading)) {
      const headings = Object.keys(SECTIONS)
      const expected = `one of ## ${headings.join(', ## ')}${suggest(heading, headings)}`
      report(
        line,
        '',
        expected,
        heading ? describe(`## ${heading}`) : 'text before the first section',
      )
      continue
    }
    const name = SECTIONS[heading as keyof typeof SECTIONS]
    if (earlier.has(heading)) report(line, heading, 'the section once', 'it again')
    earlier.add(heading)
    if (name === 'verdict') toolText.verdict = paragraphs.map((it) => it.text).join('\n\n')
    else toolText[name] = paragraphs.map((it) => it.text)
    if (toolText.verdict.length > VERDICT_MAX && name === 'verdict') {
      report(
        line,
        heading,
        `at most ${VERDICT_MAX} characters`,
        `${toolText.verdict.length} characters`,
      )
    }
    if (paragraphs.length > ITEMS_MAX) {
      report(line, heading, `at most ${ITEMS_MAX} points`, `${paragraphs.length} points`)
    }
    const long = paragraphs.find((it) => it.text.length > ITEM_MAX)
    if (long && name !== 'verdict') {
      report(long.line, heading, `at most ${ITEM_MAX} characters`, `${long.text.length} characters`)
    }
  }
  return problems.length > 0 ? problems : toolText
}

/** Text before the first heading is a section without a name, unless it is the title. */
function sectionsOf(text: string): Section[] {
  const sections: Section[] = []
  let open = false
  for (const [i, row] of text.split('\n').entries()) {
    const line = i + 1
    const heading = headingOf(row)
    if (heading !== undefined) {
      sections.push({ heading, line, paragraphs: [] })
      open = false
      continue
    }
    const title = /^#\s/.test(row) && sections.length === 0
    if (row.trim() === '' || title) {
      open = false
      continue
    }
    const section = sections.at(-1) ?? { heading: '', line, paragraphs: [] }
    if (sections.length === 0) sections.push(section)
    const point = /^\s{0,3}[-*+]\s+(.*)$/s.exec(row)?.[1]
    const last = section.paragraphs.at(-1)
    if (open && last && point === undefined) last.text += ` ${row.trim()}`
    else section.paragraphs.push({ line, text: (point ?? row).trim() })
    open = true
  }
  return sections
}

/** `## Notes ##` is `Notes`; takes linear time for a line of any length. */
function headingOf(row: string): string | undefined {
  const text = /^##\s+(.*)$/s.exec(row)?.[1]?.trimEnd()
  if (text === undefined) return undefined
  let end = text.length
  while (text[end - 1] === '#') end--
  return text.slice(0, end).trim()
}
