import type { AuthoredTool } from '../records/authored.ts'
import type { Grading } from '../records/grading.ts'
import type { Review } from '../records/review.ts'
import type { CatalogSource } from './catalog-source.ts'

/** How a record stands there that nobody has graded: every criterion is pending. */
export function withoutGrade(
  tool: AuthoredTool,
  { methodology, settings }: CatalogSource,
  reviews: readonly Review[],
): Grading {
  return {
    catalog: {
      graded: false,
      score: null,
      grade: null,
      agentReady: false,
      rank: null,
      ranked: false,
      rankOf: 0,
      categoryRank: null,
      methodology: methodology.version,
      run: settings.run.date,
      scores: {},
      pending: methodology.criteria.map(({ key }) => key),
      assessment: { confidence: 'none', date: null },
      negative: 0,
      verdict: tool.text?.verdict ?? '',
      strengths: tool.strengths ?? [],
      weaknesses: tool.weaknesses ?? [],
      agentNotes: tool.text?.agentNotes ?? [],
      metrics: { kind: 'none', measured: false },
      reviewCount: reviews.length,
      avgRating: meanRating(reviews),
      history: [],
      editorialScores: {},
      provenanceScore: null,
    },
    breakdown: methodology.criteria.map(({ key, name, weight }) => ({
      key,
      name,
      weight,
      effectiveWeight: 0,
      score: null,
      points: 0,
      reason: '',
      state: 'pending',
    })),
  }
}

/** Two decimals; null without reviews. */
export function meanRating(reviews: ReadonlyArray<{ rating: number }>): number | null {
  if (reviews.length === 0) return null
  const sum = reviews.reduce((total, { rating }) => total + rating, 0)
  return Math.round((sum / reviews.length) * 100) / 100
}
