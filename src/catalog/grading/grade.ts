import { runAtOnce } from '../../platform/run-in-steps.ts'
import type { CatalogSource } from '../authoring/catalog-source.ts'
import { provenanceChecks, provenanceScore } from '../authoring/provenance-checks.ts'
import type { AuthoredTool } from '../records/authored.ts'
import { type AppliedGate, type CatalogBlock, endedBy, type Grading } from '../records/grading.ts'
import type { Live, LiveBySlug } from '../records/live.ts'
import { addUp, type Sum } from './add-up.ts'
import { missingForAgents } from './agent-ready.ts'
import { bandOf, cappedGrade, gradeOfScore } from './bands.ts'
import { competitionRanks, type Ranked } from './competition-rank.ts'
import { isAsSureAs } from './confidence.ts'
import { coverageGate, coverageOf } from './coverage.ts'
import { closedGates } from './gates.ts'
import { continued, type GradeHistory, historyOf } from './history.ts'
import { judge } from './judge.ts'
import { averageRating, metricsOf } from './metrics.ts'
import { countingNegatives, deductionOf } from './negatives.ts'

/**
 * Grades every tool of a source as of a day (`YYYY-MM-DD`): the `catalog` block and the breakdown
 * by slug, in the order of the source. Pure: the same input gives the same result, and only `today`
 * tells the time. `earlier` is what was published before (docs/catalog/grading.md).
 */
export function gradeAll(
  source: CatalogSource,
  live: LiveBySlug,
  today: string,
  earlier: GradeHistory,
): Map<string, Grading> {
  return runAtOnce(gradingSteps(source, live, today, earlier))
}

/** The same, tool by tool, for whoever has other work too. */
export function* gradingSteps(
  source: CatalogSource,
  live: LiveBySlug,
  today: string,
  earlier: GradeHistory,
): Generator<undefined, Map<string, Grading>> {
  const { vendors, changes, reviews, removed } = source
  const vendorById = new Map(vendors.map((vendor) => [vendor.id, vendor]))
  const newSlug = new Map(removed.map(({ slug, renamedTo }) => [slug, renamedTo]))
  const changesOf = Map.groupBy(changes, ({ tool }) => newSlug.get(tool) ?? tool)
  const reviewsOf = Map.groupBy(reviews, ({ tool }) => tool)
  const judged: Judgement[] = []
  for (const tool of source.tools) {
    const known = { changes: changesOf.get(tool.slug) ?? [], live: live.get(tool.slug), today }
    judged.push({ tool, live: known.live, ...judgement(source, tool, known) })
    yield
  }
  const ranks = competitionRanks(judged.flatMap((one) => rankedOf(source, one)))
  const gradings = new Map<string, Grading>()
  for (const one of judged) {
    const { slug } = one.tool
    const place = ranks.get(slug)
    const ratings = (reviewsOf.get(slug) ?? []).map(({ rating }) => rating)
    const catalog: CatalogBlock = {
      ...one.block,
      rank: place?.rank ?? null,
      ranked: place !== undefined,
      rankOf: ranks.size,
      categoryRank: place?.categoryRank ?? null,
      reviewCount: ratings.length,
      avgRating: averageRating(ratings),
      provenanceScore: provenanceScore(
        provenanceChecks(vendorById.get(one.tool.vendor ?? ''), one.tool, one.live),
      ),
      history: continued(historyOf(earlier, removed, slug), historyItem(source, one.block)),
    }
    gradings.set(slug, { catalog, breakdown: one.sum.breakdown })
    yield
  }
  return gradings
}

type Known = Pick<Parameters<typeof closedGates>[1], 'changes' | 'live' | 'today'>
type Judgement = { tool: AuthoredTool; live: Live | undefined } & ReturnType<typeof judgement>

/** All of a grade that needs no other tool. */
function judgement({ settings, methodology }: CatalogSource, tool: AuthoredTool, known: Known) {
  const negatives = countingNegatives(tool.negatives ?? [], known.today)
  const negative = deductionOf(negatives, methodology.negatives.floor)
  const sum = addUp(judge(methodology, tool), negative)
  const coverage = coverageOf(sum)
  const graded = coverage.isAtLeast(methodology.coverage.graded)
  const confidence = tool.assessment?.confidence ?? 'none'
  const gates = [
    ...closedGates(methodology, { tool, ...known, graded, confidence }),
    ...(graded ? coverageGate(methodology, coverage) : []),
  ]
  const scores = scoresOf(sum)
  const missing = missingForAgents(methodology, { graded, confidence, scores, gates })
  const block = {
    graded,
    score: graded ? sum.tenths / 10 : null,
    grade: graded ? gradeOf(methodology, sum, gates) : null,
    agentReady: missing.length === 0,
    methodology: methodology.version,
    run: settings.run.date,
    scores,
    pending: keysIn(sum, 'pending'),
    assessment: { confidence, date: tool.assessment?.date ?? null },
    negative,
    ...(negatives.length > 0 ? { negativeNotes: negatives.map(({ reason }) => reason) } : {}),
    verdict: tool.text?.verdict ?? '',
    strengths: tool.strengths ?? [],
    weaknesses: tool.weaknesses ?? [],
    agentNotes: tool.text?.agentNotes ?? [],
    metrics: metricsOf(methodology, tool, known.live),
    editorialScores: scores,
    coverage: coverage.share,
    notApplicable: keysIn(sum, 'not-applicable'),
    gates,
    negatives,
    agentReadyMissing: missing,
  } satisfies Partial<CatalogBlock>
  return { block, sum }
}

function gradeOf(
  { bands }: CatalogSource['methodology'],
  { tenths }: Sum,
  gates: readonly AppliedGate[],
): string {
  const caps = gates.map(({ cap }) => cap)
  return cappedGrade(bands, gradeOfScore(bands, tenths), caps)
}

function scoresOf({ breakdown }: Sum): Record<string, number> {
  return Object.fromEntries(
    breakdown.flatMap(({ key, score }) => (score === null ? [] : [[key, score]])),
  )
}

function keysIn({ breakdown }: Sum, wanted: string): string[] {
  return breakdown.filter(({ state }) => state === wanted).map(({ key }) => key)
}

function rankedOf({ methodology }: CatalogSource, { tool, block }: Judgement): Ranked[] {
  const { score, grade, assessment } = block
  if (score === null || grade === null || endedBy(block)) return []
  if (!isAsSureAs(assessment.confidence, methodology.rankFrom)) return []
  const band = bandOf(methodology.bands, grade)
  return [{ slug: tool.slug, category: tool.category, band, score }]
}

function historyItem({ settings }: CatalogSource, block: Judgement['block']) {
  const { grade, methodology, pending, run, score, assessment } = block
  const basis = block.metrics.measured ? 'mixed' : 'editorial'
  const { confidence } = assessment
  return {
    basis,
    confidence,
    grade,
    methodology,
    pending,
    run,
    runLabel: settings.run.label,
    score,
  }
}
