import type { AuthoredTool, AuthoredVendor } from '../record/authored.ts'

/**
 * How much of what tells who stands behind a tool is in order, 0..100, half up: legal entity, domain
 * and its registration, terms, privacy, status page, security.txt, changelog, and, for a tool with an
 * address, that it is on the vendor's domain. Null before the vendor was looked up. It is shown
 * beside the grade and takes no part in it.
 */
export function provenanceScore(
  vendor: AuthoredVendor | undefined,
  tool: AuthoredTool,
): number | null {
  if (vendor?.checked === undefined) return null
  const inOrder = [
    vendor.legalEntity,
    vendor.domain,
    vendor.domainRegistered,
    vendor.terms,
    vendor.privacy,
    vendor.statusPage,
    vendor.securityTxt === 'valid',
    tool.changelog,
    ...(tool.remoteUrl === undefined ? [] : [isOnVendorDomain(vendor, tool)]),
  ]
  const held = inOrder.filter(Boolean).length
  return Math.floor((held * 200 + inOrder.length) / (inOrder.length * 2))
}

/** Whether the address of the tool is on the vendor's domain; null when one of them is not known. */
function isOnVendorDomain(
  vendor: AuthoredVendor | undefined,
  { endpointOnVendorDomain, remoteUrl }: AuthoredTool,
): boolean | null {
  if (endpointOnVendorDomain !== undefined) return endpointOnVendorDomain
  if (vendor?.domain === undefined || !remoteUrl || !URL.canParse(remoteUrl)) return null
  return `.${new URL(remoteUrl).hostname}`.endsWith(`.${vendor.domain}`)
}
