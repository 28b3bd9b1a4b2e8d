import type { CatalogSource } from '../../../src/catalog/authoring/catalog-source.ts'
import { defaultMethodology } from '../../../src/catalog/grading/default-methodology.ts'
import { gradeAll } from '../../../src/catalog/grading/grade.ts'
import type {
  AuthoredChange,
  AuthoredScore,
  AuthoredTool,
  AuthoredVendor,
} from '../../../src/catalog/records/authored.ts'
import type { Grading } from '../../../src/catalog/records/grading.ts'
import type { Live } from '../../../src/catalog/records/live.ts'

const METHODOLOGY = defaultMethodology()

export const TODAY = '2026-11-21'

/** What a criterion is given in a test: a score, pending, or not applicable. */
export type ScoreInput = number | 'pending' | 'not-applicable'

/** All nine at the same score. */
export function allScored(score: number): Record<string, ScoreInput> {
  return Object.fromEntries(METHODOLOGY.criteria.map(({ key }) => [key, score]))
}

export function aTool(
  scores: Record<string, ScoreInput>,
  more: Partial<AuthoredTool> = {},
): AuthoredTool {
  return {
    slug: 'a-tool',
    name: 'A tool',
    vendor: 'a-vendor',
    kind: 'http-api',
    category: 'messaging',
    summary: 'It sends messages.',
    auth: 'api-key',
    pricing: 'usage',
    where: 'hosted',
    assessment: { confidence: 'high', date: '2026-11-01' },
    scores: Object.fromEntries(Object.entries(scores).map(([key, input]) => [key, written(input)])),
    ...more,
  }
}

function written(input: ScoreInput): AuthoredScore {
  const reason = 'So it was found.'
  return typeof input === 'number' ? { score: input, reason } : { state: input, reason }
}

export function aSource(tools: AuthoredTool[], more: Partial<CatalogSource> = {}): CatalogSource {
  return {
    settings: {
      name: 'Tools',
      attribution: 'Tools of a test',
      run: { date: '2026-11-01', label: 'November' },
      categories: [{ id: 'messaging', name: 'Messaging', area: 'communication' }],
    },
    vendors: [],
    reviews: [],
    changes: [],
    removed: [],
    methodology: METHODOLOGY,
    ...more,
    tools,
  }
}

/** The grade of one tool alone. */
export function gradeOne(
  tool: AuthoredTool,
  {
    live,
    today = TODAY,
    ...more
  }: Partial<CatalogSource> & { live?: Live | undefined; today?: string } = {},
): Grading {
  const measured = new Map(live ? [[tool.slug, live]] : [])
  const grading = gradeAll(aSource([tool], more), measured, today, new Map()).get(tool.slug)
  if (!grading) throw new Error('the tool is not graded')
  return grading
}

export function aChange(more: Partial<AuthoredChange>): AuthoredChange {
  return {
    id: 'a-change',
    date: '2026-12-01',
    kind: 'shutdown',
    tool: 'a-tool',
    what: 'It shuts down.',
    source: 'https://example.com/shutdown',
    ...more,
  }
}

export function aVendor(more: Partial<AuthoredVendor> = {}): AuthoredVendor {
  return { id: 'a-vendor', name: 'A vendor', url: 'https://example.com', ...more }
}

/** What probes found in 30 days. */
export function probed(uptime30d: number | null, samples30d: number): Live {
  return {
    slug: 'a-tool',
    versions: [],
    pages: [],
    updatedAt: '2026-11-21T00:00:00Z',
    probe: {
      target: 'https://api.example.com/health',
      method: 'GET',
      lastAt: '2026-11-20T23:59:59Z',
      lastOk: true,
      lastStatus: 200,
      lastMs: 80,
      authRequired: false,
      uptime24h: 100,
      uptime30d,
      p50ms24h: 80,
      p95ms24h: 200,
      samples24h: 96,
      samples30d,
      days: [],
    },
  }
}
