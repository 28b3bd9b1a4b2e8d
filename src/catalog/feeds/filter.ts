import { cacheRecent, oncePer } from '../../platform/once.ts'
import { upWord } from '../facts/answers/fact.ts'
import { vendorWord } from '../records/parameters.ts'
import type { ToolDetail } from '../records/tool.ts'
import { x402Word } from '../records/x402.ts'
import { type FilterWords, foldText, matches } from '../search/match.ts'
import type { ListingQuery } from './listing-query.ts'

/** A record with the folded texts that filters search. */
export type Findable = { words: FilterWords; text: string; tool: ToolDetail }

export const findable = oncePer(makeFindable)

function makeFindable(tool: ToolDetail): Findable {
  const { packages, capabilities } = tool
  const words: Record<string, readonly string[]> = {
    kind: [tool.kind],
    category: [tool.category],
    area: [tool.area],
    grade: [tool.catalog.grade ?? 'none'],
    transport: tool.transports,
    auth: [tool.auth],
    pricing: [tool.pricing],
    where: [tool.where],
    registry: packages.map(({ registry }) => registry),
    // `messaging` finds `messaging.send` too.
    capability: capabilities.flatMap(withParents),
    tag: tool.tags,
    x402: [x402Word(tool)],
    up: [upWord(tool.live.probe)],
    vendor: [tool.vendor, vendorWord(tool.vendor)],
    agentReady: [String(tool.catalog.agentReady)],
  }
  for (const [name, values] of Object.entries(words)) words[name] = values.map(foldWord)
  const { name, vendor, slug, summary, category, area, tags } = tool
  const searched = [name, vendor, slug, summary, category, area, ...tags, ...capabilities]
  searched.push(...packages.map((one) => one.name))
  return { tool, words, text: foldText(searched.join('\n')) }
}

// Thousands of records have the same few words; one text of each is held.
const foldWord = cacheRecent(2_000, foldText)

function withParents(capability: string): string[] {
  const parts = capability.split('.')
  return parts.map((_, n) => parts.slice(0, n + 1).join('.'))
}

type Wanted = Pick<ListingQuery, 'words'> & Partial<ListingQuery>

/** True if a record has what the filters of a program or of the directory page ask for. */
export function fits(query: Wanted, candidate: Findable): boolean {
  const { tool } = candidate
  const { minScore, agentReady, graded, updatedSince } = query
  if (minScore !== undefined && (tool.catalog.score ?? -1) < minScore) return false
  if (agentReady !== undefined && tool.catalog.agentReady !== agentReady) return false
  if (graded !== undefined && tool.graded !== graded) return false
  if (updatedSince !== undefined && (tool.updated ?? '') < updatedSince) return false
  return matches(query.words, candidate.words)
}
