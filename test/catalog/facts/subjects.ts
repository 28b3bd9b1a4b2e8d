import type { FactBases } from '../../../src/catalog/facts/bases.ts'
import type { Findings, FoundFact, Subject } from '../../../src/catalog/facts/fact.ts'
import type { AuthoredTool, AuthoredVendor } from '../../../src/catalog/records/authored.ts'

export const NOW = Date.UTC(2026, 10, 21, 12)
export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

/** Every source is one server. */
export function basesAt(base: string): FactBases {
  return {
    npmRegistry: `${base}/npm`,
    npmDownloads: `${base}/npm-api`,
    pypi: `${base}/pypi`,
    pypiStats: `${base}/pypistats`,
    goProxy: `${base}/go`,
    github: `${base}/github`,
    statusIo: `${base}/status-io`,
    rdapServers: `${base}/rdap/dns.json`,
    site: () => base,
  }
}

export function aSubject(
  tool: Partial<AuthoredTool> = {},
  more: { vendor?: Partial<AuthoredVendor>; facts?: readonly FoundFact[] } = {},
): Subject {
  const { facts = [], vendor } = more
  return {
    tool: {
      slug: 'a-tool',
      name: 'A tool',
      vendor: 'a-vendor',
      kind: 'http-api',
      category: 'messaging',
      summary: 'It sends messages.',
      auth: 'api-key',
      pricing: 'usage',
      where: 'hosted',
      ...tool,
    },
    vendor: { id: 'a-vendor', name: 'A vendor', url: 'https://example.com', ...vendor },
    memories: new Map(facts.map(({ subject, value }) => [subject, value])),
  }
}

/** Facts by subject, without what probes remember for themselves. */
export function visibleFacts({ facts }: Findings): Record<string, unknown> {
  return Object.fromEntries(
    facts
      .filter(({ subject }) => !subject.startsWith('memory '))
      .map(({ subject, value }) => [subject, value]),
  )
}
