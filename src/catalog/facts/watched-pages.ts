import type { Subject } from '../probing/probe.ts'

export type PageKind = 'pricing' | 'terms' | 'privacy' | 'changelog'
export type WatchedPage = { url: string; kind: PageKind }

// Pages of prices: a record may name one for each price, and they are mostly the same.
const PRICING_MAX = 3
const ABOUT_PRICES = /^(pricing|pricingNotes|priceSummary|unitPrices)\b/

/**
 * The pages that matter when they change: where the prices were read, terms and privacy of the
 * vendor, and the changelog. Each address once, without its fragment.
 */
export function watchedPages({ tool, vendor }: Pick<Subject, 'tool' | 'vendor'>): WatchedPage[] {
  const prices = [
    ...(tool.unitPrices ?? []).map(({ source }) => source),
    ...(tool.sources ?? []).flatMap(({ url, facts }) =>
      facts.some((fact) => ABOUT_PRICES.test(fact)) ? [url] : [],
    ),
  ]
  const pricing = [...new Set(prices.flatMap(addressOf))].slice(0, PRICING_MAX)
  const named: Array<[string | undefined, PageKind]> = [
    ...pricing.map((url) => [url, 'pricing'] as [string, PageKind]),
    [vendor?.terms, 'terms'],
    [vendor?.privacy, 'privacy'],
    [tool.changelog, 'changelog'],
  ]
  const kinds = new Map<string, PageKind>()
  for (const [address, kind] of named) {
    for (const url of addressOf(address)) if (!kinds.has(url)) kinds.set(url, kind)
  }
  return [...kinds].map(([url, kind]) => ({ url, kind }))
}

function addressOf(text: string | undefined): string[] {
  const url = URL.parse(text ?? '')
  if (!url) return []
  url.hash = ''
  return [url.href]
}
