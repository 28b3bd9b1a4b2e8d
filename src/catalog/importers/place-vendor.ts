import type { CatalogSource } from '../authoring/catalog-source.ts'
import type { AuthoredVendor } from '../records/authored.ts'
import type { ImportedRecord } from './importer.ts'
import { repoKey } from './match.ts'
import { freeSlug, slugFrom } from './slug-from.ts'
import { vendorOf } from './vendor-of.ts'

type Vendor = Pick<AuthoredVendor, 'id' | 'name' | 'url'> & { domain?: string }

/**
 * Finds the vendor of an imported record, or says which one to make. An existing vendor matches by
 * domain or by account at a code host. A name is not enough: a vendor of the same name on another
 * domain is another vendor, with the domain or host in its id.
 */
export function createVendors(source: CatalogSource) {
  const byDomain = new Map<string, string>()
  const byAccount = new Map<string, string>()
  const ids = new Set<string>()

  function add({ id, url, domain }: Vendor) {
    ids.add(id)
    const own = domain ?? domainOf(url)
    if (own && !byDomain.has(own)) byDomain.set(own, id)
    const account = accountOf(url)
    if (account && !byAccount.has(account)) byAccount.set(account, id)
  }

  function find({
    tool,
    vendor,
    match,
  }: ImportedRecord): { id: string; make?: Vendor } | undefined {
    const addresses = [tool.homepage, match?.repo ?? tool.repo, tool.remoteUrl, tool.docsUrl]
    const guessed = addresses.map(vendorOf).find((it) => it !== undefined)
    const id = slugFrom(vendor?.id ?? guessed?.id ?? '')
    const url = vendor?.url ?? guessed?.url
    if (!id || !url) return undefined
    const name = vendor?.name ?? guessed?.name ?? id
    const domain = vendor?.domain ?? domainOf(url)
    const known = (domain && byDomain.get(domain)) || byAccount.get(accountOf(url) ?? '')
    if (known) return { id: known }
    if (match?.vendorId && ids.has(id)) return { id }
    const behind = domain
      ? (domain.split('.').at(-1) ?? '')
      : (new URL(url).hostname.split('.')[0] ?? '')
    const free = freeSlug(id, slugFrom(behind) || 'vendor', (it) => ids.has(it))
    return { id: free, make: { id: free, name, url, ...(domain ? { domain } : {}) } }
  }

  for (const vendor of source.vendors) add(vendor as Vendor)
  for (const { repo, vendor } of source.tools) {
    const account = accountOf(repo)
    if (account && vendor && !byAccount.has(account)) byAccount.set(account, vendor)
  }
  return { find, add }
}

/** `github.com/ada` for any address below it. */
function accountOf(address: string | undefined): string | undefined {
  const key = repoKey(address)
  if (!key || domainOf(address)) return undefined
  return key.split('/').slice(0, 2).join('/')
}

function domainOf(address: string | undefined): string | undefined {
  return vendorOf(address)?.domain
}
