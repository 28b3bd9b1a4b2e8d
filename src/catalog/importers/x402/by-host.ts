import type { PaidEndpoint } from '../../records/x402.ts'
import type { Imported } from '../importer.ts'
import { slugFrom } from '../slug-from.ts'
import { vendorOf } from '../vendor-of.ts'
import { asLink } from '../words/as-link.ts'

export type PaidResource = { url: URL; endpoints: PaidEndpoint[]; description?: string }

// A file of the catalog holds 64 KiB.
const ENDPOINTS_MAX = 100

/** One record for each host, with the addresses that it sells, in their order. */
export function* byHost(resources: readonly PaidResource[], list: string, day: string) {
  const hosts = Map.groupBy(resources, ({ url }) => url.host)
  for (const [host, found] of hosts) {
    const endpoints = found
      .flatMap((it) => it.endpoints)
      .filter(({ url }) => asLink(url) !== undefined)
      .sort((a, b) => order(a.url + a.network, b.url + b.network))
    const vendor = vendorOf(`https://${host}`)
    const base = vendor?.domain?.split('.')[0]
    if (!vendor || !base) {
      yield { skipped: host, why: 'nothing says who is behind that address' }
      continue
    }
    yield recordOf(host, slugFrom(base), vendor, { endpoints, list, day, found })
  }
}

type Found = { endpoints: PaidEndpoint[]; list: string; day: string; found: PaidResource[] }

function recordOf(
  host: string,
  slug: string,
  vendor: NonNullable<ReturnType<typeof vendorOf>>,
  { endpoints, list, day, found }: Found,
): Imported {
  const most = endpoints.slice(0, ENDPOINTS_MAX)
  const more = endpoints.length - most.length
  const evidence = `Listed with ${endpoints.length} paid addresses by ${new URL(list).host}${more ? `; the first ${ENDPOINTS_MAX} stand here` : ''}.`
  const described = found.length === 1 ? found[0]?.description : undefined
  const tool = {
    name: host,
    ...(described ? { summary: described } : {}),
    transports: ['http'],
    where: 'hosted',
    pricing: 'usage',
    x402: { level: most.length > 0 ? 'yes' : 'partial', evidence, source: list, endpoints: most },
  }
  return {
    slug,
    vendor,
    tool: { ...tool, kind: 'http-api' },
    // One list, and a part of it for each host.
    from: { url: `${list}#${host.replace(':', '-')}`, read: day, facts: Object.keys(tool) },
  }
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
