import type { CatalogSnapshot } from '../feeds/catalog-snapshot.ts'
import { type Findable, findable } from '../feeds/filter.ts'
import { foldText, searchWords } from '../feeds/match.ts'
import { endedBy } from '../records/grading.ts'
import { takesX402 } from '../records/x402.ts'

/** The records that match a query, best first, and how many of its words they have. */
export type SearchResult = { tools: Findable['tool'][]; words: string[]; matched: number }

// Words that people put around what they look for.
const SMALL = new Set(
  (
    'a an and any api apis accept accepts accepting are as at be by can do does find for from get give i in is it ' +
    'let lets me my need needs of on or pay paid pays please service services some support supports take takes ' +
    'taking that the their there to tool tools use using via want what which who with without you your'
  ).split(' '),
)
// A match in the name counts more than one in the purpose, and that more than one in the
// description.
const WORTH = { name: 5, purpose: 4, facet: 3, text: 1 }
const WORDS_MAX = 12

/**
 * Searches in plain words. Records with most of the words come first, then those that have them in
 * the name or purpose, then in listing order; tools that have ended come last. Records with fewer
 * words than the best are left out.
 */
export function searchRecords(
  snapshot: CatalogSnapshot,
  query: string,
  fit: (one: Findable) => boolean,
): SearchResult {
  const words = wordsOf(query)
  const fits = snapshot.tools.map(findable).filter(fit)
  if (words.length === 0) return { tools: fits.map(({ tool }) => tool), words, matched: 0 }
  const scored = fits.map((one) => ({ one, ...worthOf(one, words) }))
  const matched = scored.reduce((most, own) => Math.max(most, own.matched), 0)
  const best = matched === 0 ? [] : scored.filter((own) => own.matched === matched)
  // The sort is stable: equal records stay in listing order.
  best.sort((a, b) => overLast(a.one, b.one) || b.worth - a.worth)
  return { tools: best.map(({ one }) => one.tool), words, matched }
}

function overLast(a: Findable, b: Findable): number {
  return (
    Number(endedBy(a.tool.catalog) !== undefined) - Number(endedBy(b.tool.catalog) !== undefined)
  )
}

function wordsOf(query: string): string[] {
  const all = searchWords(query)
    .flatMap((word) => word.split(/[^\p{L}\p{N}.]+/u))
    .map((word) => word.replace(/^\.+|\.+$/g, ''))
    .filter(Boolean)
  const telling = all.filter((word) => !SMALL.has(word))
  return [...new Set(telling.length > 0 ? telling : all)].slice(0, WORDS_MAX)
}

function worthOf(one: Findable, words: readonly string[]) {
  const { tool, text } = one
  const name = foldText(`${tool.name} ${tool.slug}`)
  const purpose = foldText([tool.category, ...tool.capabilities, ...tool.tags].join(' '))
  const facets = facetsOf(one)
  let worth = 0
  let matched = 0
  for (const word of words) {
    const own = name.includes(word)
      ? WORTH.name
      : purpose.includes(word)
        ? WORTH.purpose
        : facets.has(word)
          ? WORTH.facet
          : text.includes(word)
            ? WORTH.text
            : 0
    worth += own
    if (own > 0) matched += 1
  }
  return { worth, matched }
}

function facetsOf({ tool, words }: Findable): Set<string> {
  const { kind = [], transport = [], auth = [], pricing = [], where = [] } = words
  const facets = [...kind, ...transport, ...auth, ...pricing, ...where]
  return new Set(takesX402(tool.x402) ? [...facets, 'x402'] : facets)
}
