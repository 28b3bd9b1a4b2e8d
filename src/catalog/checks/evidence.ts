import type { ToolDetail } from '../records/tool.ts'
import type { CheckedTool, Evidence } from './check.ts'

const DAY_MS = 86_400_000

export function daysBetween(from: string, to: string): number {
  return Math.floor((Date.parse(to.slice(0, 10)) - Date.parse(from.slice(0, 10))) / DAY_MS)
}

export function unknown(summary: string): Evidence {
  return { answer: 'unknown', summary }
}

/** An answer from a field that people wrote, with the source that shows it. */
export function written(
  answer: 'yes' | 'no',
  { tool, field, summary }: { tool: ToolDetail; field: string; summary: string },
): Evidence {
  const { sources = [], checked } = tool.provenance
  const source = sources.find(({ facts }) => facts.includes(field))
  if (source) return { answer, summary, source: source.url, date: source.read }
  return { answer, summary, ...(checked ? { date: checked } : {}) }
}

/** An answer that was measured at an instant. */
export function measured(
  answer: 'yes' | 'no',
  { at, summary, source }: { at: string; summary: string; source?: string | undefined },
): Evidence {
  return { answer, summary, date: at.slice(0, 10), ...(source ? { source } : {}) }
}

/** Whether the record has a value in a field, with its source. */
export function hasField(
  { tool }: CheckedTool,
  { field, value, means }: { field: string; value: string | undefined; means: string },
): Evidence {
  if (!value) return unknown(`The record names no ${means}.`)
  const evidence = written('yes', {
    tool,
    field,
    summary: isWeb(value) ? `The record names its ${means}.` : `Its ${means}: ${value}.`,
  })
  return evidence.source ? evidence : { ...evidence, ...(isWeb(value) ? { source: value } : {}) }
}

function isWeb(value: string): boolean {
  return /^https?:\/\//.test(value)
}
