import { oncePer } from '../../../platform/once.ts'
import { cleanLine, cutText } from '../../../platform/text.ts'
import type { PaidCheck, PaidOffer } from '../../records/paid-check.ts'
import type { ToolDetail } from '../../records/tool.ts'
import type { PaidEndpoint } from '../../records/x402.ts'
import type { DiscoveryResource } from '../../records/x402-discovery.ts'
import { foldText } from '../../search/match.ts'
import type { CatalogSnapshot } from '../catalog-snapshot.ts'
import { findable } from '../filter.ts'
import { paidTools } from '../listing.ts'

/** A paid address in the form of x402, with the texts that filters search. */
export type X402Item = { item: DiscoveryResource; networks: readonly string[]; text: string }

// The allowed characters of a name and tags (`ResourceInfoSchema` of `@x402/core`).
const PLAIN = /^[\x20-\x7e]{1,32}$/
const TAGS_MOST = 5

/** Every address that still takes payment, once, best tool first. */
export const x402Items = oncePer((snapshot: CatalogSnapshot): readonly X402Item[] => [
  ...itemsOf(snapshot),
])

function* itemsOf(snapshot: CatalogSnapshot): Generator<X402Item> {
  const urls = new Set<string>()
  for (const { tool, x402 } of paidTools(snapshot)) {
    for (const endpoint of x402.endpoints) {
      if (urls.has(endpoint.url)) continue
      urls.add(endpoint.url)
      const check = tool.live.x402?.find(({ url }) => url === endpoint.url)
      if (check && !takesPayment(check)) continue
      yield itemOf(snapshot, tool, x402.level, endpoint, check)
    }
  }
}

/** True if a client may find payment terms there. */
function takesPayment({ answer }: PaidCheck): boolean {
  return answer !== 'free' && answer !== 'missing'
}

function itemOf(
  snapshot: CatalogSnapshot,
  tool: ToolDetail,
  level: string,
  endpoint: PaidEndpoint,
  check: PaidCheck | undefined,
): X402Item {
  const { url, network } = endpoint
  const version = check?.version === 1 ? 1 : 2
  const offers = check?.offers ?? []
  const description = cutText(cleanLine(check?.description ?? tool.summary), 500)
  const { mimeType } = check ?? {}
  const name = cleanLine(tool.name)
  const tags = tool.tags.filter((tag) => PLAIN.test(tag)).slice(0, TAGS_MOST)
  const about = { url, description, mimeType: mimeType ?? '' }
  const item: DiscoveryResource = {
    resource: url,
    type: 'http',
    x402Version: version,
    accepts: offers.map((offer) => (version === 1 ? asV1(offer, about) : asV2(offer))),
    lastUpdated: check?.changedAt ?? `${tool.updated ?? snapshot.settings.run.date}T00:00:00.000Z`,
    description,
    ...(mimeType === undefined ? {} : { mimeType }),
    ...(PLAIN.test(name) ? { serviceName: name } : {}),
    ...(tags.length === 0 ? {} : { tags }),
    metadata: { level, ...metadataOf(tool, endpoint, check) },
  }
  const networks = offers.flatMap((offer) => [offer.network, offer.networkName ?? offer.network])
  return {
    item,
    networks: (networks.length === 0 ? [network] : networks).map(foldText),
    text: `${findable(tool).text}\n${foldText(`${url}\n${description}`)}`,
  }
}

function metadataOf(tool: ToolDetail, endpoint: PaidEndpoint, check: PaidCheck | undefined) {
  const { name, slug, vendor, category, url, jsonUrl, catalog } = tool
  const { priceUsd, network } = endpoint
  const there = check?.offers.filter((offer) => network === '' || offer.network === network) ?? []
  return {
    name,
    slug,
    provider: vendor,
    category,
    url,
    jsonUrl,
    grade: catalog.grade,
    score: catalog.score,
    listedPriceUsd: priceUsd,
    network,
    priceUsd: there.find((offer) => offer.priceUsd !== null)?.priceUsd ?? null,
    ...(check ? { method: check.method, answer: check.answer, checkedAt: check.checkedAt } : {}),
  }
}

function asV2({ scheme, network, amount, asset, payTo, maxTimeoutSeconds, extra = {} }: PaidOffer) {
  return { scheme, network, amount, asset, payTo, maxTimeoutSeconds, extra }
}

function asV1(
  offer: PaidOffer,
  { url, description, mimeType }: { url: string; description: string; mimeType: string },
) {
  const { amount, ...rest } = asV2(offer)
  const { networkName: network = offer.network } = offer
  const about = { resource: url, description, mimeType }
  return { ...rest, network, maxAmountRequired: amount, ...about }
}
