import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { stringify } from 'yaml'
import type { CatalogSource } from '../../src/catalog/authoring/catalog-source.ts'
import type {
  AuthoredChange,
  AuthoredScore,
  AuthoredTool,
  AuthoredVendor,
} from '../../src/catalog/records/authored.ts'
import { CRITERIA } from '../../src/catalog/records/grading.ts'
import type { Methodology } from '../../src/catalog/records/methodology.ts'
import type { AuthoredReview } from '../../src/catalog/records/review.ts'

const CATEGORIES = ['messaging', 'storage', 'payments', 'models', 'scraping', 'secrets']
const KINDS = ['http-api', 'mcp', 'framework', 'model', 'platform', 'protocol']
const AUTHS = ['api-key', 'oauth', 'none', 'mixed']
const PRICINGS = ['usage', 'freemium', 'free']
const WEIGHTS = [16, 16, 14, 14, 12, 10, 8, 6, 4]
const WORDS = 'sends reads stores finds checks signs pays moves turns keeps'.split(' ')

const GENERATED_METHODOLOGY: Methodology = {
  version: '1.0',
  date: '2026-01-01',
  summary: 'Nine criteria from 0 to 10.',
  criteria: CRITERIA.map((key, i) => ({
    key,
    name: key,
    weight: WEIGHTS[i] ?? 1,
    question: `How good is its ${key}?`,
    anchors: [
      { score: 0, means: 'None of it.' },
      { score: 10, means: 'All of it.' },
    ],
  })),
  bands: [
    { grade: 'AA', from: 90 },
    { grade: 'A', from: 80 },
    { grade: 'BB', from: 70 },
    { grade: 'B', from: 60 },
    { grade: 'CC', from: 50 },
    { grade: 'C', from: 40 },
    { grade: 'D', from: 0 },
  ],
  coverage: { graded: 0.6, full: 0.8, cap: 'A' },
  gates: [
    { code: 'shut-down', cap: 'D', means: 'It is shut down.' },
    { code: 'shutdown-soon', cap: 'C', days: 90, means: 'It shuts down soon.' },
    { code: 'archived', cap: 'C', means: 'It is archived.' },
    { code: 'low-confidence', cap: 'A', means: 'The assessment is of low confidence.' },
  ],
  negatives: { floor: -25, codes: [{ code: 'breach', points: -15, means: 'Data got out.' }] },
  agentReady: [{ code: 'graded', means: 'It is graded.' }],
  rankFrom: 'medium',
}

/** A catalog of `size` made-up records, the same every time; every third one has no scores. */
export function generatedCatalog(size: number): CatalogSource {
  const vendors = Array.from({ length: Math.max(1, Math.ceil(size / 4)) }, (_, i) => vendor(i))
  const tools = Array.from({ length: size }, (_, i) => tool(i))
  return {
    settings: {
      name: 'Generated catalog',
      attribution: 'Generated catalog, CC-BY-4.0',
      preview: true,
      run: { date: '2026-11-01', label: 'Generated' },
      categories: CATEGORIES.map((id, i) => ({ id, name: id, area: i < 3 ? 'services' : 'data' })),
    },
    vendors,
    tools,
    reviews: tools.filter((_, i) => i % 5 === 0).map((it, i) => review(it.slug, i)),
    changes: tools.filter((_, i) => i % 4 === 0).map((it, i) => change(it.slug, i)),
    removed: [
      { slug: 'tool-gone', date: '2026-05-01', reason: 'It closed.', replacement: slugOf(0) },
      { slug: 'tool-old-name', date: '2026-06-01', reason: 'Renamed.', renamedTo: slugOf(0) },
    ],
    methodology: GENERATED_METHODOLOGY,
  }
}

/** Writes the same as a data folder, file by file. */
export function writeGeneratedCatalog(folder: string, size: number): CatalogSource {
  const source = generatedCatalog(size)
  writeCatalog(folder, source)
  return source
}

/** Writes any catalog as the files that a curator would have. */
export function writeCatalog(folder: string, source: CatalogSource): void {
  const write = (path: string, text: string) => {
    const file = join(folder, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  write('catalog.yaml', stringify(source.settings))
  write('methodology.yaml', stringify(source.methodology))
  write('removed.yaml', stringify(source.removed))
  for (const { id, ...rest } of source.vendors) write(`vendors/${id}.yaml`, stringify(rest))
  for (const { slug, text, ...rest } of source.tools) {
    write(`tools/${slug}.yaml`, stringify(rest))
    if (!text) continue
    const list = (items: string[]) => items.map((item) => `- ${item}\n`).join('')
    const { verdict, notes, agentNotes } = text
    write(
      `tools/${slug}.md`,
      `## Verdict\n\n${verdict}\n\n## Notes\n\n${list(notes)}\n## Agent notes\n\n${list(agentNotes)}`,
    )
  }
  for (const { id, tool, ...rest } of source.reviews) {
    write(`reviews/${tool}/${id}.json`, JSON.stringify(rest, null, 2))
  }
  for (const { id, ...rest } of source.changes) {
    write(`changes/${rest.date.slice(0, 4)}/${id}.yaml`, stringify(rest))
  }
}

function slugOf(i: number): string {
  return `tool-${String(i).padStart(4, '0')}`
}

function pick<T>(list: readonly T[], i: number): T {
  return list[i % list.length] as T
}

function dayOf(i: number): string {
  return new Date(Date.UTC(2026, 0, 1 + (i % 700))).toISOString().slice(0, 10)
}

function vendor(i: number): AuthoredVendor {
  const domain = `vendor-${i}.example`
  return {
    id: `vendor-${i}`,
    name: `Vendor ${i}`,
    url: `https://${domain}`,
    legalEntity: `Vendor ${i} Ltd`,
    domain,
    terms: `https://${domain}/terms`,
    privacy: `https://${domain}/privacy`,
    statusPage: `https://status.${domain}`,
    checked: '2026-10-01',
  }
}

function tool(i: number): AuthoredTool {
  const slug = slugOf(i)
  const site = `https://vendor-${Math.floor(i / 4)}.example`
  const kind = pick(KINDS, i)
  const paid = i % 7 === 0
  return {
    slug,
    name: `Tool ${i}`,
    vendor: `vendor-${Math.floor(i / 4)}`,
    kind,
    category: pick(CATEGORIES, i),
    summary: `It ${pick(WORDS, i)} and ${pick(WORDS, i * 7 + 3)} things for agents, number ${i}.`,
    homepage: `${site}/${slug}`,
    docsUrl: `${site}/${slug}/docs`,
    openapi: `${site}/${slug}/openapi.json`,
    ...(i % 2 === 0 ? { repo: `https://github.com/vendor-${i}/${slug}` } : {}),
    ...(kind === 'mcp' ? { remoteUrl: `https://mcp.vendor-${Math.floor(i / 4)}.example/mcp` } : {}),
    license: i % 2 === 0 ? 'MIT' : 'proprietary',
    transports: kind === 'mcp' ? ['streamable-http'] : ['http'],
    packages: i % 3 === 0 ? [{ registry: 'npm', name: `@vendor/${slug}` }] : [],
    auth: pick(AUTHS, i),
    authNotes: 'A key in the Authorization header.',
    pricing: pick(PRICINGS, i),
    priceSummary: `From $${(i % 50) / 100} a call`,
    where: 'hosted',
    ...(paid ? { x402: paidCalls(i, site, slug) } : {}),
    // Every fifth record says nothing of payments per call.
    ...(!paid && i % 5 !== 0 ? { x402: { level: 'no' } } : {}),
    toolCount: kind === 'mcp' ? i % 30 : null,
    popularity: { githubStars: i * 13, npmWeekly: i * 101, pypiWeekly: null, asOf: '2026-11-01' },
    capabilities: [`${pick(CATEGORIES, i)}.${pick(WORDS, i)}`],
    tags: [pick(WORDS, i)],
    lastRelease: dayOf(i % 300),
    unitPrices: [{ item: 'call', unit: 'request', usd: (i % 50) / 100, source: `${site}/pricing` }],
    ...(i % 3 === 2 ? {} : scored(i, site)),
    strengths: ['Its errors say what to do.'],
    weaknesses: ['Its limits are not written down.'],
    details: [{ label: 'Regions', value: 'EU, US' }],
    sources: [{ url: `${site}/${slug}`, read: '2026-10-20', facts: ['summary', 'pricing'] }],
    ...(i % 6 === 0
      ? {
          text: {
            verdict: `Tool ${i} does what it says.`,
            notes: ['Founded by two people.'],
            agentNotes: ['Send an idempotency key.', 'Page with a cursor.'],
          },
        }
      : {}),
  }
}

function paidCalls(i: number, site: string, slug: string): NonNullable<AuthoredTool['x402']> {
  return {
    level: i % 2 === 0 ? 'yes' : 'partial',
    evidence: 'It answers 402.',
    source: `${site}/pricing`,
    endpoints: [{ url: `${site}/paid/${slug}`, priceUsd: 0.01, network: 'eip155:8453' }],
  }
}

function scored(i: number, site: string): Pick<AuthoredTool, 'scores' | 'assessment'> {
  const scores = CRITERIA.flatMap((key, k): Array<[string, AuthoredScore]> => {
    if ((key === 'performance' || key === 'tasks') && i % 2 === 0) return []
    const score = (i * 7 + k * 3) % 11
    return [[key, { score, reason: `Read on its pages: ${score}.`, evidence: [`${site}/docs`] }]]
  })
  const confidence = pick(['high', 'medium', 'low'], i)
  return { scores: Object.fromEntries(scores), assessment: { confidence, date: '2026-10-25' } }
}

function change(tool: string, i: number): AuthoredChange {
  const kind = pick(['notice', 'price', 'breaking', 'shutdown', 'rename', 'removal'], i)
  return {
    id: `change-${String(i).padStart(4, '0')}`,
    date: dayOf(i * 3),
    kind,
    tool,
    what: `Version ${i} of the interface ends.`,
    source: `https://vendor-${i}.example/news`,
    announced: '2026-01-01',
  }
}

function review(tool: string, i: number): AuthoredReview {
  return {
    id: `review-${i}`,
    tool,
    kind: i % 2 === 0 ? 'desk' : 'usage',
    date: '2026-10-10',
    rating: 1 + (i % 5),
    title: 'A generated review',
    body: 'It was tried, and it worked.',
    pros: ['Plain names'],
    cons: ['Slow at night'],
    themes: ['errors'],
    source: 'Generated',
    basis: 'Ten calls',
    outcome: 'kept',
  }
}
