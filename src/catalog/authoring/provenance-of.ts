import type { AuthoredTool, AuthoredVendor } from '../records/authored.ts'
import type { Live } from '../records/live.ts'
import type { Provenance, ProvenanceSource } from '../records/provenance.ts'
import { isOnVendorDomain, provenanceChecks } from './provenance-checks.ts'

export function provenanceOf(
  tool: AuthoredTool,
  vendor: AuthoredVendor | undefined,
  live: Live,
  score: number | null,
): Provenance {
  return {
    legalEntity: vendor?.legalEntity ?? '',
    domain: vendor?.domain ?? '',
    domainRegistered: live.domain?.registered ?? vendor?.domainRegistered ?? null,
    endpointOnVendorDomain: isOnVendorDomain(tool, vendor?.domain),
    ...given('terms', vendor?.terms),
    ...given('privacy', vendor?.privacy),
    ...given('statusPage', vendor?.statusPage),
    ...given('changelog', tool.changelog),
    securityTxt: live.securityTxt?.status ?? vendor?.securityTxt ?? null,
    checked: vendor?.checked ?? null,
    score,
    ...(vendor?.notes ? { notes: vendor.notes } : {}),
    checks: provenanceChecks(vendor, tool, live),
    sources: [...sourcesOf(vendor?.sources), ...sourcesOf(tool.sources)],
  }
}

function given<const N extends string>(name: N, value: string | undefined) {
  return (value === undefined ? {} : { [name]: value }) as { [name in N]?: string }
}

function sourcesOf(sources: AuthoredTool['sources'] = []): ProvenanceSource[] {
  return sources.map(({ url, read, facts }) => ({ url, read, facts }))
}
