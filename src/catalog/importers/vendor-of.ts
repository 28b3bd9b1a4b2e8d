import type { AuthoredVendor } from '../records/authored.ts'
import { ownDomain } from './many-owners.ts'
import { slugFrom } from './slug-from.ts'

export type VendorGuess = Partial<AuthoredVendor> & { id: string; name: string; url: string }

// On these hosts the account is the first part of the path.
const CODE_HOSTS = new Set(['github.com', 'gitlab.com', 'bitbucket.org', 'codeberg.org'])
/**
 * The owner of an address: the account at a code host, else the domain; undefined for neither, and
 * for a host that many owners share.
 */
export function vendorOf(address: string | undefined): VendorGuess | undefined {
  const url = address === undefined ? null : URL.parse(address)
  if (!url || !/^https?:$/.test(url.protocol)) return undefined
  const host = url.hostname.toLowerCase().replace(/^www\./, '')
  if (CODE_HOSTS.has(host)) {
    const account = url.pathname.split('/')[1]
    const id = slugFrom(account ?? '')
    if (!account || !id) return undefined
    return { id, name: account, url: `https://${host}/${account}` }
  }
  const domain = ownDomain(host)
  const id = slugFrom(domain?.split('.')[0] ?? '')
  return domain && id ? { id, name: domain, url: `https://${domain}`, domain } : undefined
}

/** `com.example/thing` → `https://example.com`; `io.github.ada/thing` → `https://github.com/ada`. */
export function addressOfNamespace(name: string): string | undefined {
  const parts = (name.split('/')[0] ?? '').split('.')
  if (parts.length < 2) return undefined
  const [top, host, account] = parts
  if (top === 'io' && (host === 'github' || host === 'gitlab') && account) {
    return `https://${host}.com/${parts.slice(2).join('.')}`
  }
  return `https://${parts.slice().reverse().join('.').toLowerCase()}`
}
