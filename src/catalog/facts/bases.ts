import type { AuthoredVendor } from '../records/authored.ts'

/** The services that facts are read from; addresses without a slash at the end. */
export type FactBases = {
  npmRegistry: string
  npmDownloads: string
  pypi: string
  pypiStats: string
  goProxy: string
  github: string
  /** The public status API of Status.io, the only one that is not on the status page itself. */
  statusIo: string
  /** The list of RDAP servers that IANA keeps (RFC 9224). */
  rdapServers: string
  /** The site of a domain. */
  site(domain: string): string
}

/** The public ones. */
export const PUBLIC_BASES: FactBases = {
  npmRegistry: 'https://registry.npmjs.org',
  npmDownloads: 'https://api.npmjs.org',
  pypi: 'https://pypi.org',
  pypiStats: 'https://pypistats.org',
  goProxy: 'https://proxy.golang.org',
  github: 'https://api.github.com',
  statusIo: 'https://api.status.io',
  rdapServers: 'https://data.iana.org/rdap/dns.json',
  site: (domain) => `https://${domain}`,
}

/** The vendor's own domain: that of its file, or else that of its site. */
export function domainOf({ vendor }: { vendor: AuthoredVendor | undefined }): string | undefined {
  if (!vendor) return undefined
  if (vendor.domain) return vendor.domain.toLowerCase()
  const host = URL.parse(vendor.url)?.hostname.replace(/\.$/, '')
  return host?.includes('.') && !/[:[]|^[\d.]+$/.test(host) ? host : undefined
}
