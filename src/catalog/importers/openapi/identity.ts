import type { AuthoredVendor } from '../../records/authored.ts'
import { isObject } from '../fields.ts'
import { registeredDomain } from '../many-owners.ts'
import { slugFrom } from '../slug-from.ts'
import { vendorOf } from '../vendor-of.ts'
import { asLink } from '../words/as-link.ts'
import type { ApiDocument } from './parse-document.ts'

type Vendor = Partial<AuthoredVendor> & { id: string; name: string; url: string }

/** Whose API it is, and which of theirs, whatever its version. */
export type Identity = { vendor: Vendor; slug: string; suffix: string }

// The version at the end of a name: `checkout-v71`, `ghes-3.8`; not that of `route53` or `sesv2`.
const VERSION = /[-_. /](?=v?\d)v?(\d+([._p-]\d+)*(-?(alpha|beta)\d*)?)$/i

/**
 * Directories of APIs name the provider and the service in `x-providerName` and `x-serviceName`;
 * for other documents it is the domain of the server, or of what else they link to, and the title.
 */
export function identityOf(
  document: ApiDocument,
  addresses: ReadonlyArray<string | undefined>,
): Identity | undefined {
  const info = isObject(document.info) ? document.info : {}
  const provider = providerOf(info['x-providerName'])
  const vendor = provider ?? addresses.map(vendorOf).find((it) => it !== undefined)
  if (!vendor) return undefined
  const service = typeof info['x-serviceName'] === 'string' ? info['x-serviceName'] : ''
  const title = typeof info.title === 'string' ? info.title : ''
  const plainTitle = title.slice(0, 200).replace(/\b(rest|open)?\s*apis?\b/gi, ' ')
  const name = (provider || service !== '' ? service : plainTitle).slice(0, 200)
  const suffix = VERSION.exec(name.trim())?.[1] ?? ''
  const family = slugFrom(name.trim().replace(VERSION, ''))
  return { vendor, slug: slugOf(vendor.id, family), suffix }
}

function providerOf(value: unknown): Vendor | undefined {
  const domain = typeof value === 'string' ? registeredDomain(value) : undefined
  const url = domain && asLink(`https://${domain}`)
  const id = slugFrom(domain?.split('.')[0] ?? '')
  return domain && url && id ? { id, name: domain, url, domain } : undefined
}

function slugOf(vendor: string, family: string): string {
  if (family === '' || family === vendor) return vendor
  return slugFrom(family.startsWith(`${vendor}-`) ? family : `${vendor}-${family}`)
}
