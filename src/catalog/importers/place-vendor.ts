import type { CatalogSource } from '../authoring/catalog-source.ts'
import type { AuthoredVendor } from '../records/authored.ts'
import { repoKey } from './identity.ts'
import type { ImportedRecord } from './importer.ts'
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
  const domains = new Map<string, string | undefined>()

  function add({ id, url, domain }: Vendor) {
    const own = domain ?? domainOf(url)
    domains.set(id, own)
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
    const vendorId = match?.vendorId
      ? vendorWithId(id, domain)
      : (domain && byDomain.get(domain)) || byAccount.get(accountOf(url) ?? '')
    if (vendorId) return { id: vendorId }
    const behind = domain
      ? (domain.split('.').at(-1) ?? '')
      : (new URL(url).hostname.split('.')[0] ?? '')
    const free = freeSlug(id, slugFrom(behind) || 'vendor', (it) => domains.has(it))
    return { id: free, make: { id: free, name, url, ...(domain ? { domain } : {}) } }
  }

  /** A provider of the same id whose domain is not another one; the domain alone is not enough. */
  function vendorWithId(id: string, domain: string | undefined): string | undefined {
    const there = domains.get(id)
    return domains.has(id) && (!there || !domain || there === domain) ? id : undefined
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
