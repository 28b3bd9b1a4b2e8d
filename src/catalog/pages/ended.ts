import { cleanLine } from '../../platform/text.ts'
import type { CatalogSnapshot } from '../feeds/catalog-snapshot.ts'
import { changesByTool } from '../feeds/changes-by-tool.ts'
import { type EndedParts, endedParts } from '../records/change.ts'
import { dateWords } from '../records/date-words.ts'
import { endedBy } from '../records/grading.ts'
import type { ToolDetail } from '../records/tool.ts'
import { toolName } from './words.ts'

/**
 * `Shut down 15 Jun 2026, use Claude Opus 4.8` for a tool that can no longer be used; undefined for
 * a usable one. The announced shutdown names the replacement.
 */
export function endedWords(snapshot: CatalogSnapshot, tool: ToolDetail): string | undefined {
  const gate = endedBy(tool.catalog)
  if (!gate) return undefined
  const verb = gate.code === 'withdrawn' ? 'Withdrawn' : 'Shut down'
  const announced = (changesByTool(snapshot).get(tool.slug) ?? []).find(
    ({ kind, status, date }) => kind === 'shutdown' && status !== 'withdrawn' && date === gate.date,
  )
  const day = gate.date === undefined ? '' : ` ${dateWords(gate.date, announced?.datePrecision)}`
  return `${verb}${day}${instead(snapshot, announced?.replacement)}`
}

/** The parts of a tool that ended while the tool goes on; undefined if none did. */
export function endedPart(snapshot: CatalogSnapshot, tool: ToolDetail): EndedParts | undefined {
  const own = changesByTool(snapshot).get(tool.slug) ?? []
  return endedBy(tool.catalog) ? undefined : endedParts(own, snapshot.today)
}

function instead(snapshot: CatalogSnapshot, replacement: string | undefined): string {
  if (replacement === undefined) return ''
  const record = snapshot.bySlug.get(replacement)
  return `, use ${record ? toolName(record) : cleanLine(replacement)}`
}
