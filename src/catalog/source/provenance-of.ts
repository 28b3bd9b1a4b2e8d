import type { AuthoredTool, AuthoredVendor } from '../record/authored.ts'
import type { Live } from '../record/live.ts'
import type { Provenance, ProvenanceCheck } from '../record/provenance.ts'

export function provenanceOf(
  tool: AuthoredTool,
  vendor: AuthoredVendor,
  live: Live,
  score: number | null,
): Provenance {
  const checks = [...checksOf(vendor.sources), ...checksOf(tool.sources)]
  return {
    legalEntity: vendor.legalEntity ?? '',
    domain: vendor.domain ?? '',
    domainRegistered: live.domain?.registered ?? vendor.domainRegistered ?? null,
    endpointOnVendorDomain: tool.endpointOnVendorDomain ?? onDomain(tool, vendor.domain),
    ...given('terms', vendor.terms),
    ...given('privacy', vendor.privacy),
    ...given('statusPage', vendor.statusPage),
    ...given('changelog', tool.changelog),
    securityTxt: live.securityTxt?.status ?? vendor.securityTxt ?? null,
    checked: vendor.checked ?? null,
    score,
    ...(vendor.notes ? { notes: vendor.notes } : {}),
    checks,
  }
}

function given<const N extends string>(name: N, value: string | undefined) {
  return (value === undefined ? {} : { [name]: value }) as { [name in N]?: string }
}

/** Null when there is no endpoint, or no domain to compare it with. */
function onDomain({ remoteUrl, probe }: AuthoredTool, domain: string | undefined): boolean | null {
  const endpoint = remoteUrl ?? probe?.target
  if (!endpoint || !domain) return null
  const hostname = URL.parse(endpoint)?.hostname
  if (hostname === undefined) return null
  return hostname === domain || hostname.endsWith(`.${domain}`)
}

function checksOf(sources: AuthoredTool['sources'] = []): ProvenanceCheck[] {
  return sources.map(({ url, read, facts }) => ({
    name: facts.join(', '),
    result: 'read',
    source: url,
    checked: read,
  }))
}
