import type { Subject } from '../probing/probe.ts'

/** The domain at which a vendor speaks for itself: the one of its file, else that of its site. */
export function domainOf({ vendor }: Pick<Subject, 'vendor'>): string | undefined {
  if (!vendor) return undefined
  if (vendor.domain) return vendor.domain.toLowerCase()
  const host = URL.parse(vendor.url)?.hostname.replace(/\.$/, '')
  return host?.includes('.') && !/[:[]|^[\d.]+$/.test(host) ? host : undefined
}
