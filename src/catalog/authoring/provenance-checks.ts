import type { AuthoredTool, AuthoredVendor } from '../records/authored.ts'
import type { Live } from '../records/live.ts'
import type { Provenance, ProvenanceCheck, ProvenanceSource } from '../records/provenance.ts'

type ProvenanceFacts = { vendor: AuthoredVendor; tool: AuthoredTool; live: Live | undefined }

/**
 * The checks behind the provenance score: legal entity, domain and its registration, terms,
 * privacy, status page, security.txt, changelog and, for a tool with an address, whether it is on
 * the vendor's domain. Measured values win over written ones. Empty until the vendor was looked up.
 */
export function provenanceChecks(
  vendor: AuthoredVendor | undefined,
  tool: AuthoredTool,
  live?: Live,
): ProvenanceCheck[] {
  if (vendor?.checked === undefined) return []
  const facts = { vendor, tool, live }
  const { remoteUrl, changelog } = tool
  return [
    written(facts, 'legalEntity', vendor.legalEntity),
    written(facts, 'domain', vendor.domain),
    registration(facts),
    written(facts, 'terms', vendor.terms),
    written(facts, 'privacy', vendor.privacy),
    written(facts, 'statusPage', vendor.statusPage),
    securityTxt(facts),
    written(facts, 'changelog', changelog),
    ...(remoteUrl === undefined ? [] : [ownDomain(facts)]),
  ]
}

/** The share of the checks that hold, 0..100, half up; null where there are none. */
export function provenanceScore(checks: readonly ProvenanceCheck[]): number | null {
  if (checks.length === 0) return null
  const holding = checks.filter((check) => check.held).length
  return Math.floor((holding * 200 + checks.length) / (checks.length * 2))
}

function written(facts: ProvenanceFacts, name: string, value: string | undefined): ProvenanceCheck {
  return { name, held: Boolean(value), result: value || 'not known', ...readAt(facts, name) }
}

function registration(facts: ProvenanceFacts): ProvenanceCheck {
  const name = 'domainRegistered'
  const { vendor, live } = facts
  if (!live?.domain?.registered) return written(facts, name, vendor.domainRegistered)
  const { registered, checkedAt } = live.domain
  return { name, held: true, result: registered, checked: checkedAt.slice(0, 10) }
}

function securityTxt(facts: ProvenanceFacts): ProvenanceCheck {
  const name = 'securityTxt'
  const { vendor, live } = facts
  if (!live?.securityTxt) {
    const result = vendor.securityTxt ?? 'not known'
    return { name, held: result === 'valid', result, ...readAt(facts, name) }
  }
  const { status, url, checkedAt } = live.securityTxt
  return {
    name,
    held: status === 'valid',
    result: status,
    source: url,
    checked: checkedAt.slice(0, 10),
  }
}

function ownDomain(facts: ProvenanceFacts): ProvenanceCheck {
  const name = 'endpointOnVendorDomain'
  const own = isOnVendorDomain(facts.tool, facts.vendor.domain)
  const result = own === null ? 'not known' : own ? 'yes' : 'no'
  return { name, held: own === true, result, ...readAt(facts, name) }
}

/** True if the tool's address is on the vendor's domain; null if either is unknown. */
function isOnVendorDomain(
  { endpointOnVendorDomain, remoteUrl, probe }: AuthoredTool,
  domain: string | undefined,
): boolean | null {
  if (endpointOnVendorDomain !== undefined) return endpointOnVendorDomain
  const hostname = URL.parse(remoteUrl ?? probe?.target ?? '')?.hostname
  if (!hostname || !domain) return null
  return `.${hostname}`.endsWith(`.${domain}`)
}

/** Where and when a field was read, from the sources of the vendor or the tool. */
function readAt({ vendor, tool }: ProvenanceFacts, name: string): Partial<ProvenanceCheck> {
  const sources = [...(vendor.sources ?? []), ...(tool.sources ?? [])]
  const source = sources.find(({ facts }) => facts.includes(name))
  return source ? { source: source.url, checked: source.read } : {}
}

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
    ...optional('terms', vendor?.terms),
    ...optional('privacy', vendor?.privacy),
    ...optional('statusPage', vendor?.statusPage),
    ...optional('changelog', tool.changelog),
    securityTxt: live.securityTxt?.status ?? vendor?.securityTxt ?? null,
    checked: vendor?.checked ?? null,
    score,
    ...(vendor?.notes ? { notes: vendor.notes } : {}),
    checks: [...provenanceChecks(vendor, tool, live), ...witnessChecks(tool)],
    sources: [...sourcesOf(vendor?.sources), ...sourcesOf(tool.sources)],
  }
}

/** Where each imported value was read: the document that was opened, and the place in it. */
function witnessChecks({ sources = [] }: AuthoredTool): ProvenanceCheck[] {
  return sources.flatMap(({ url, read, paths = {} }) =>
    Object.entries(paths).map(([name, path]) => ({
      name,
      held: true,
      result: `read at ${path}`,
      source: url,
      checked: read,
      path,
    })),
  )
}

function optional<const N extends string>(name: N, value: string | undefined) {
  return (value === undefined ? {} : { [name]: value }) as { [name in N]?: string }
}

function sourcesOf(sources: AuthoredTool['sources'] = []): ProvenanceSource[] {
  return sources.map(({ url, read, facts }) => ({ url, read, facts }))
}
