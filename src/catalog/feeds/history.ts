import type { StoredToolHistory, ToolHistory } from '../records/history.ts'
import type { ToolDetail } from '../records/tool.ts'
import type { FeedModule } from './built-site.ts'
import type { CatalogSnapshot } from './catalog-snapshot.ts'
import { JSON_TYPE } from './json-document.ts'
import { feedMeta } from './meta.ts'

const NOTHING: StoredToolHistory = {
  tools: [],
  toolLists: [],
  prices: [],
  versions: [],
  status: [],
  months: [],
}

/** What changed in a tool, every list oldest first. */
export function historyOf(snapshot: CatalogSnapshot, tool: ToolDetail): ToolHistory {
  const { slug, name, url, live, catalog } = tool
  const stored = snapshot.history?.get(slug) ?? NOTHING
  const paid = (live.x402 ?? []).flatMap((check) =>
    check.prices.map(({ since, network, asset, priceUsd }) => ({
      ...{ at: since, url: check.url, network, asset, usd: priceUsd },
    })),
  )
  return {
    ...{ slug, name, url },
    tools: stored.tools,
    toolLists: stored.toolLists,
    prices: stored.prices,
    paidPrices: paid.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at)),
    versions: stored.versions,
    scores: catalog.history,
    status: stored.status,
    months: stored.months,
  }
}

/** The history of each tool. */
export const HISTORY_FEED: FeedModule = {
  *build(snapshot) {
    const meta = feedMeta(snapshot)
    for (const tool of snapshot.tools) {
      const body = () => `${JSON.stringify({ meta, history: historyOf(snapshot, tool) })}\n`
      yield { path: `/api/v1/tools/${tool.slug}/history.json`, type: JSON_TYPE, body }
    }
  },
}
