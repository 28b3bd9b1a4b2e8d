import { toToolRecord } from '../authoring/to-tool-record.ts'
import type { ToolDetail } from '../records/tool.ts'

const texts = new WeakMap<ToolDetail, string>()

/** The JSON of the record of the listing, written once for all lists that it stands in. */
export function recordText(tool: ToolDetail): string {
  const known = texts.get(tool)
  if (known !== undefined) return known
  const text = JSON.stringify(toToolRecord(tool))
  texts.set(tool, text)
  return text
}
