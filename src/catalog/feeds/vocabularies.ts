import type { BuiltDocument } from './built-site.ts'
import type { CatalogSnapshot } from './catalog-snapshot.ts'
import { jsonDocument } from './json-document.ts'
import { byText } from './listing-order.ts'
import { feedMeta } from './meta.ts'

/** The words that records use, with how many use each; also those that none uses yet. */
export function* buildVocabularies(snapshot: CatalogSnapshot): Generator<BuiltDocument> {
  const meta = feedMeta(snapshot)
  const categories = categoriesOf(snapshot)
  const capabilities = capabilitiesOf(snapshot)
  yield jsonDocument('/api/v1/categories.json', { count: categories.length, meta, categories })
  yield jsonDocument('/api/v1/capabilities.json', {
    count: capabilities.length,
    meta,
    capabilities,
  })
}

function categoriesOf({ settings, tools, baseUrl }: CatalogSnapshot) {
  const used = countWords(tools.map(({ category }) => category))
  return settings.categories
    .map(({ id, name, area, description = '' }) => ({
      id,
      name,
      area,
      description,
      tools: used.get(id) ?? 0,
      url: `${baseUrl}/api/v1/tools.json?category=${id}`,
    }))
    .sort((a, b) => byText(a.id, b.id))
}

function capabilitiesOf({ settings, tools, baseUrl }: CatalogSnapshot) {
  const used = countWords(tools.flatMap(({ capabilities }) => [...new Set(capabilities)]))
  const meanings = new Map(
    (settings.capabilities ?? []).map(({ id, description }) => [id, description]),
  )
  return [...new Set([...meanings.keys(), ...used.keys()])].sort(byText).map((id) => ({
    id,
    description: meanings.get(id) ?? '',
    tools: used.get(id) ?? 0,
    url: `${baseUrl}/api/v1/tools.json?capability=${id}`,
  }))
}

function countWords(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}
