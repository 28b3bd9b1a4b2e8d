import type { CatalogSnapshot } from '../feeds/catalog-snapshot.ts'
import { changesByTool } from '../feeds/changes-by-tool.ts'
import { mdQuote } from '../feeds/markdown/escape.ts'
import {
  connectLines,
  factLines,
  liveLines,
  payLines,
  priceLines,
  provenanceLines,
} from '../feeds/markdown/fact-lines.ts'
import { changeLine, reviewText } from '../feeds/markdown/full.ts'
import { gradeLines } from '../feeds/markdown/grade-lines.ts'
import { items } from '../feeds/markdown/lines.ts'
import { modelLines } from '../feeds/markdown/model-lines.ts'
import { tokensAtMost } from '../feeds/markdown/token-bound.ts'
import type { ToolDetail } from '../records/tool.ts'

/** The largest part, in tokens. */
export const PART_TOKENS = 1_200

type WritePart = (tool: ToolDetail, snapshot: CatalogSnapshot) => string[]

const PARTS = {
  facts: factLines,
  grade: gradeLines,
  verdict: ({ catalog, notable }) => [
    ...(catalog.verdict === '' ? [] : [mdQuote(catalog.verdict)]),
    ...titled('Good', items(catalog.strengths)),
    ...titled('Bad', items([...catalog.weaknesses, ...(catalog.negativeNotes ?? [])])),
    ...titled('For agents', items(catalog.agentNotes)),
    ...titled('Notable', items(notable)),
  ],
  connect: connectLines,
  prices: (tool) => [...priceLines(tool), ...payLines(tool)],
  models: modelLines,
  changes: ({ slug }, snapshot) => (changesByTool(snapshot).get(slug) ?? []).map(changeLine),
  measured: (tool) => liveLines(tool),
  provenance: provenanceLines,
  reviews: ({ reviews }) => reviews.map(reviewText),
} satisfies Record<string, WritePart>

export type PartName = keyof typeof PARTS
export const PART_NAMES = Object.keys(PARTS) as PartName[]

/**
 * One part of a record as Markdown of at most 1,200 tokens; text of the record is escaped. `whole`
 * says whether everything fitted.
 */
export function partOf(name: PartName, tool: ToolDetail, snapshot: CatalogSnapshot) {
  const write: WritePart = PARTS[name]
  const lines = write(tool, snapshot).flatMap((block) => block.split('\n'))
  const kept: string[] = []
  let left = PART_TOKENS
  for (const line of lines) {
    // A line break is two characters in JSON.
    left -= tokensAtMost(JSON.stringify(line)) + 2
    if (left < 0) break
    kept.push(line)
  }
  return { part: name, markdown: kept.join('\n'), whole: kept.length === lines.length }
}

function titled(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`**${title}**`, ...lines]
}
