import type { FilterWords } from './match.ts'
import type { SearchFields } from './search-index.ts'

/** A row of the directory as a search reads it. */
export type SearchedRow = {
  slug: string
  name: string
  vendor: string
  summary: string
  /** Area, packages and models. */
  more: string
  score: number | null
  ended?: boolean
  /** Its words under each filter. */
  filters: FilterWords
}

const FACETS = ['kind', 'transport', 'auth', 'pricing', 'where']

/** The texts of a row by what a match in them is worth. */
export function searchFields(row: SearchedRow): SearchFields {
  const { slug, name, vendor, summary, more, score, ended = false, filters } = row
  const words = (filter: string) => filters[filter] ?? []
  const isPaidByCall = words('x402').some((level) => level === 'yes' || level === 'partial')
  return {
    name: `${name} ${slug}`,
    capabilities: words('capability'),
    purpose: [...words('category'), ...words('tag')],
    facets: [vendor, ...FACETS.flatMap(words), ...(isPaidByCall ? ['x402'] : [])],
    summary,
    more,
    score,
    ended,
  }
}
