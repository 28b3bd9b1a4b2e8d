import type { CatalogSource } from '../../src/catalog/authoring/catalog-source.ts'
import {
  AuthoredChange,
  AuthoredTool,
  AuthoredVendor,
  CatalogSettings,
} from '../../src/catalog/records/authored.ts'
import { AuthoredReview } from '../../src/catalog/records/review.ts'
import { cut, filledFrom } from './filled-from.ts'
import { generatedCatalog } from './generated-catalog.ts'

/**
 * A catalog with every field that a curator can write, one tool for each of `texts`, which stands
 * wherever text may; `addresses` take turns.
 */
export function hostileCatalog(
  texts: readonly string[],
  addresses: readonly string[],
): CatalogSource {
  const plain = generatedCatalog(texts.length)
  const at = <T>(list: readonly T[], i: number) => list[i % list.length] as T
  const fill = (schema: Parameters<typeof filledFrom>[0], i: number) =>
    filledFrom(schema, at(texts, i), at(addresses, i), i) as object
  const tools = plain.tools.map((tool, i) => {
    const { probe, ...filled } = fill(AuthoredTool, i) as AuthoredTool
    const { slug, vendor, category, scores = {} } = tool
    const reason = cut(at(texts, i), 2000)
    const judged = Object.entries(scores).map(([key, one]) => [key, { ...one, reason }])
    const source = at(addresses, i)
    // A heading would begin a part that there is none of.
    const line = reason.replaceAll('#', '')
    return {
      ...filled,
      ...{ slug, vendor, category, scores: Object.fromEntries(judged) },
      assessment: { confidence: 'high', date: '2026-10-01' },
      capabilities: ['email.send', 'email.read'],
      sources: [...(filled.sources ?? []), { url: source, read: '2026-10-01', facts: ['models'] }],
      x402: {
        ...filled.x402,
        level: i % 2 === 0 ? 'yes' : 'partial',
        // A chain id has no free text.
        endpoints: filled.x402?.endpoints?.map((one) => ({ ...one, network: 'eip155:8453' })),
      },
      negatives: [
        { code: 'breach', points: -3, reason, source, date: '2026-01-01', expires: '2099-01-01' },
      ],
      gates: i % 3 === 0 ? [{ code: 'archived', reason, source, date: '2026-01-01' }] : [],
      text: { verdict: line, notes: [line], agentNotes: [line] },
    } as AuthoredTool
  })
  const { id: _, ...settings } = { id: '', ...(fill(CatalogSettings, 0) as CatalogSettings) }
  return {
    ...plain,
    settings: {
      ...settings,
      capabilities: [
        { id: 'email.send', description: cut(at(texts, 1)) },
        { id: 'email.read', description: '' },
      ],
      ...{ preview: false, run: plain.settings.run, baseUrl: 'https://catalog.example' },
      // Where payments are taken, free text stands nowhere.
      ...(settings.catalogAccepts
        ? { catalogAccepts: { ...settings.catalogAccepts, live: false } }
        : {}),
      categories: plain.settings.categories.map((own, i) => {
        const name = cut(at(texts, i))
        return { ...own, name, description: name }
      }),
    },
    vendors: plain.vendors.map(
      ({ id }, i) => ({ ...(fill(AuthoredVendor, i) as object), id }) as AuthoredVendor,
    ),
    tools,
    changes: texts.map((_, i) => {
      const { endsPart, ...filled } = fill(AuthoredChange, i) as AuthoredChange
      return {
        ...filled,
        // Only a notice says that a part ends.
        ...(filled.kind === 'notice' && endsPart !== undefined ? { endsPart } : {}),
        id: `change-${i}`,
        tool: at(tools, i).slug,
        date: i % 2 ? '2020-02-29' : '2099-12-31',
      }
    }),
    reviews: texts.map(
      (_, i) =>
        ({
          ...fill(AuthoredReview, i),
          id: `review-${i}`,
          tool: at(tools, i).slug,
        }) as AuthoredReview,
    ),
  }
}
