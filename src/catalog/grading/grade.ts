import { runAtOnce } from '../../platform/run-in-steps.ts'
import type { CatalogSource } from '../authoring/catalog-source.ts'
import { provenanceChecks, provenanceScore } from '../authoring/provenance-checks.ts'
import type { AuthoredTool } from '../records/authored.ts'
import {
  type AppliedGate,
  type AppliedNegative,
  type CatalogBlock,
  endedBy,
  type Grading,
} from '../records/grading.ts'
import type { Live, LiveBySlug } from '../records/live.ts'
import type { Criterion, Methodology } from '../records/methodology.ts'
import { currentSlugs } from '../records/renames.ts'
import { addUp, type CriterionScore, type ScoreSum } from './add-up.ts'
import { bandOf, cappedGrade, gradeOfScore, isBelow } from './bands.ts'
import { competitionRanks, type RankedRecord } from './competition-rank.ts'
import { deskScore } from './desk-score.ts'
import { closedGates, isAsSureAs } from './gates.ts'
import { continued, type GradeHistory, historyOf } from './history.ts'
import { averageRating, metricsOf } from './metrics.ts'

/**
 * Grades every tool of a source as of a day (`YYYY-MM-DD`): the `catalog` block and the breakdown
 * by slug, in the order of the source. A pure function: the time comes from `today` alone.
 * `earlier` has the published history (docs/catalog/grading.md).
 */
export function gradeAll(
  source: CatalogSource,
  live: LiveBySlug,
  today: string,
  earlier: GradeHistory,
): Map<string, Grading> {
  return runAtOnce(gradingSteps(source, live, today, earlier))
}

/** The same in steps, one tool at a time, so that other work can run. */
export function* gradingSteps(
  source: CatalogSource,
  live: LiveBySlug,
  today: string,
  earlier: GradeHistory,
): Generator<undefined, Map<string, Grading>> {
  const { vendors, changes, reviews, removed } = source
  const vendorById = new Map(vendors.map((vendor) => [vendor.id, vendor]))
  const current = currentSlugs(removed)
  const changesOf = Map.groupBy(changes, ({ tool }) => current(tool))
  const reviewsOf = Map.groupBy(reviews, ({ tool }) => current(tool))
  const judgements: Judgement[] = []
  for (const tool of source.tools) {
    const context = { changes: changesOf.get(tool.slug) ?? [], live: live.get(tool.slug), today }
    judgements.push({ tool, live: context.live, ...judgement(source, tool, context) })
    yield
  }
  const ranks = competitionRanks(judgements.flatMap((one) => rankedRecords(source, one)))
  const gradings = new Map<string, Grading>()
  for (const one of judgements) {
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

type GradingContext = Pick<Parameters<typeof closedGates>[1], 'changes' | 'live' | 'today'>
type Judgement = { tool: AuthoredTool; live: Live | undefined } & ReturnType<typeof judgement>

/** The part of a grade that needs no other tool. */
function judgement(
  { settings, methodology }: CatalogSource,
  tool: AuthoredTool,
  context: GradingContext,
) {
  const negatives = countingNegatives(tool.negatives ?? [], context.today)
  const negative = deductionOf(negatives, methodology.negatives.floor)
  const sum = addUp(judge(methodology, tool, context.today), negative)
  const coverage = coverageOf(sum)
  const graded = coverage.isAtLeast(methodology.coverage.graded)
  const confidence = tool.assessment?.confidence ?? 'none'
  const gates = [
    ...closedGates(methodology, { tool, ...context, graded, confidence }),
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
    metrics: metricsOf(methodology, tool, context.live),
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
  { tenths }: ScoreSum,
  gates: readonly AppliedGate[],
): string {
  const caps = gates.map(({ cap }) => cap)
  return cappedGrade(bands, gradeOfScore(bands, tenths), caps)
}

function scoresOf({ breakdown }: ScoreSum): Record<string, number> {
  return Object.fromEntries(
    breakdown.flatMap(({ key, score }) => (score === null ? [] : [[key, score]])),
  )
}

function keysIn({ breakdown }: ScoreSum, wantedState: string): string[] {
  return breakdown.filter(({ state }) => state === wantedState).map(({ key }) => key)
}

function rankedRecords({ methodology }: CatalogSource, { tool, block }: Judgement): RankedRecord[] {
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

// Shares are compared as integers of this scale.
const PARTS = 10_000

type Coverage = {
  /** Scored / applicable weights, 0..1, truncated to four decimals. */
  share: number
  isAtLeast(share: number): boolean
}

/** The share of applicable weights that is scored; 0 if nothing applies. */
function coverageOf({ scoredWeight, applicableWeight }: ScoreSum): Coverage {
  return {
    share:
      applicableWeight === 0 ? 0 : Math.floor((scoredWeight * PARTS) / applicableWeight) / PARTS,
    isAtLeast: (share) =>
      scoredWeight > 0 && scoredWeight * PARTS >= Math.round(share * PARTS) * applicableWeight,
  }
}

/** The cap for too little coverage. */
function coverageGate({ coverage: { full, cap } }: Methodology, coverage: Coverage): AppliedGate[] {
  if (coverage.isAtLeast(full)) return []
  const reason = `${percent(coverage.share)} % of the weights that apply are scored, less than ${percent(full)} %.`
  return [{ code: 'thin-coverage', cap, reason }]
}

function percent(share: number): number {
  return Math.round(share * PARTS) / (PARTS / 100)
}

/**
 * Each criterion for one tool: scored, pending, or not applicable. A missing score is pending,
 * never 0.
 */
function judge({ criteria }: Methodology, tool: AuthoredTool, today: string): CriterionScore[] {
  return criteria.map((criterion) => {
    const { key, name, weight } = criterion
    return { key, name, weight, ...judgeCriterion(criterion, tool, today) }
  })
}

function judgeCriterion(
  criterion: Criterion,
  tool: AuthoredTool,
  today: string,
): Omit<CriterionScore, 'key' | 'name' | 'weight'> {
  const { key, kinds } = criterion
  // What a tool of unknown kind is may still turn out to need it.
  if (kinds && tool.kind !== 'unknown' && !kinds.includes(tool.kind)) {
    const reason = `It does not apply to the kind ${tool.kind}.`
    return { score: null, state: 'not-applicable', reason }
  }
  const authored = tool.scores?.[key]
  const desk = deskScore(criterion, tool, today)
  if (authored === undefined) {
    if (!desk) return { score: null, state: 'pending', reason: 'It is not assessed yet.' }
    return { ...desk, state: desk.score === null ? 'pending' : 'scored' }
  }
  const { score = null, state, reason, ...written } = authored
  const fields = { ...written, ...(desk?.findings ? { findings: desk.findings } : {}) }
  // A criterion that applies to the kind can only be open.
  if (state !== undefined) return { score: null, state: 'pending', reason, ...fields }
  return { score, state: score === null ? 'pending' : 'scored', reason, ...fields }
}

/** Deductions that count on a day, from their first to their last day inclusive. */
function countingNegatives(
  negatives: readonly AppliedNegative[],
  today: string,
): AppliedNegative[] {
  return negatives.filter(({ date, expires }) => date <= today && today <= expires)
}

/** Adds up the negatives, limited by the floor; 0 without any. */
function deductionOf(counting: readonly AppliedNegative[], floor: number): number {
  const sum = counting.reduce((total, { points }) => total + Math.min(points, 0), 0)
  // `|| 0` turns -0 into 0.
  return Math.max(sum, floor) || 0
}

type ReadyFacts = {
  graded: boolean
  confidence: string
  /** Of the criteria that are scored. */
  scores: Readonly<Record<string, number>>
  gates: readonly AppliedGate[]
}

/**
 * Why an agent must not use the tool without a person: one sentence for each unmet condition; empty
 * if it is ready. Not part of the score.
 */
function missingForAgents(methodology: Methodology, facts: ReadyFacts): string[] {
  if (!facts.graded) return ['It is not graded.']
  return methodology.agentReady
    .filter((demand) => !holds(methodology, demand, facts))
    .map(({ means }) => means)
}

type Demand = Methodology['agentReady'][number]

function holds({ bands }: Methodology, demand: Demand, facts: ReadyFacts): boolean {
  const { confidence, grade, criterion, atLeast = 0 } = demand
  if (confidence !== undefined && !isAsSureAs(facts.confidence, confidence)) return false
  if (grade !== undefined && facts.gates.some(({ cap }) => isBelow(bands, cap, grade))) return false
  if (criterion === undefined) return true
  const score = Object.hasOwn(facts.scores, criterion) ? facts.scores[criterion] : undefined
  return score !== undefined && score >= atLeast
}
