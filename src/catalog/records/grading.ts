import { type Static, Type } from '@sinclair/typebox'
import { ServedFinding } from './desk.ts'
import { closed, countField, day, link, openWord, orNull, textField, texts } from './words.ts'

export const CRITERIA = [
  'security',
  'reliability',
  'schema',
  'ergonomics',
  'maintenance',
  'transparency',
  'performance',
  'tasks',
  'payments',
] as const

export const GRADES = ['AA', 'A', 'BB', 'B', 'CC', 'C', 'D'] as const
export const CONFIDENCES = ['high', 'medium', 'low'] as const

/** Gates of ended tools, which are not ranked and come last in every list. */
export const ENDED_GATES = ['shut-down', 'withdrawn'] as const

const score = Type.Integer({ minimum: 0, maximum: 10 })

/** Scores by criterion, 0 to 10, without criteria that are pending or do not apply. */
const Scores = Type.Unsafe<Record<string, number>>(
  Type.Object(Object.fromEntries(CRITERIA.map((name) => [name, Type.Optional(score)])), {
    additionalProperties: score,
    description: 'Scores from 0 to 10 by criterion; see `pending` for those that are missing.',
  }),
)

const confidence = openWord('How sure the assessment is.', [...CONFIDENCES, 'none'])
const grade = orNull(openWord('Grade; null while not graded.', GRADES))
const total = orNull(
  Type.Number({
    minimum: 0,
    maximum: 100,
    description: 'Score, at least: what is pending has no points. Null while not graded.',
  }),
)

export const GradeHistoryItem = closed({
  basis: openWord('What the grade rests on.', ['editorial', 'measured', 'mixed']),
  confidence,
  grade,
  methodology: textField('Version of the methodology.', 64),
  pending: texts('Criteria that were pending.', 64),
  run: day('Day of the run.'),
  runLabel: textField('Label of the run.', 200),
  score: total,
})
export type GradeHistoryItem = Static<typeof GradeHistoryItem>

export const AppliedGate = closed({
  code: textField('The gate.', 64),
  cap: openWord('No grade above this one.', GRADES),
  reason: textField('What closed it.'),
  evidence: Type.Optional(textField('What shows it: an address or a measurement.', 2000)),
  date: Type.Optional(day('Day since which it holds.')),
})
export type AppliedGate = Static<typeof AppliedGate>

export const AppliedNegative = closed({
  code: textField('What was found.', 64),
  points: Type.Integer({ maximum: 0, description: 'Points that it takes.' }),
  reason: textField('Why.'),
  source: link('Where it can be read.'),
  date: day('Day from which it counts.'),
  expires: day('Last day on which it counts.'),
})
export type AppliedNegative = Static<typeof AppliedNegative>

/** The `catalog` block of a record. */
export const CatalogBlock = closed(
  {
    graded: Type.Boolean(),
    score: total,
    grade,
    agentReady: Type.Boolean({ description: 'Whether an agent can use it without a person.' }),
    rank: orNull(Type.Integer({ minimum: 1, description: 'Place among all ranked records.' })),
    ranked: Type.Boolean(),
    rankOf: countField('How many records are ranked.'),
    categoryRank: orNull(Type.Integer({ minimum: 1, description: 'Place in its category.' })),
    methodology: textField('Version of the methodology.', 64),
    run: day('Day of the research run.'),
    scores: Scores,
    pending: texts('Criteria that should be known and are not yet.', 64),
    assessment: closed({
      confidence,
      date: orNull(day('Day of the assessment; null before the first.')),
    }),
    negative: Type.Number({ maximum: 0, multipleOf: 1, description: 'Sum of the deductions.' }),
    negativeNotes: Type.Optional(texts('Why points were deducted.')),
    verdict: textField('The judgement in a few sentences; may be empty.', 4000),
    strengths: texts('What is good.'),
    weaknesses: texts('What is not.'),
    agentNotes: texts('What an agent should know before it calls.'),
    metrics: closed({
      kind: openWord('What can be measured of it.', ['endpoint', 'mcp', 'package', 'none']),
      measured: Type.Boolean({ description: 'Whether measurements went into the score.' }),
    }),
    reviewCount: countField('Reviews, without those of a false or revoked signature.'),
    avgRating: orNull(
      Type.Number({
        minimum: 1,
        maximum: 5,
        description: 'Their mean rating; null without reviews.',
      }),
    ),
    history: Type.Array(GradeHistoryItem, { description: 'Earlier grades, oldest first.' }),
    editorialScores: Scores,
    provenanceScore: orNull(Type.Number({ minimum: 0, maximum: 100 })),
    coverage: Type.Optional(
      Type.Number({ minimum: 0, maximum: 1, description: 'Share of the weights that is scored.' }),
    ),
    notApplicable: Type.Optional(texts('Criteria that do not apply to this kind of tool.', 64)),
    gates: Type.Optional(
      Type.Array(AppliedGate, { description: 'What capped the grade, with evidence.' }),
    ),
    negatives: Type.Optional(Type.Array(AppliedNegative, { description: 'The deductions.' })),
    agentReadyMissing: Type.Optional(texts('What keeps `agentReady` false.', 500)),
  },
  'The grade and what it rests on.',
)
export type CatalogBlock = Static<typeof CatalogBlock>

/** The gate that says that a tool has ended; undefined while it can be used. */
export function endedBy({ gates }: Pick<CatalogBlock, 'gates'>): AppliedGate | undefined {
  return gates?.find(({ code }) => (ENDED_GATES as readonly string[]).includes(code))
}

/** One row of the sum. */
export const BreakdownItem = closed({
  key: textField('Criterion.', 64),
  name: textField('Its name.', 100),
  weight: Type.Number({ minimum: 0, description: 'Its weight in the methodology.' }),
  effectiveWeight: Type.Number({
    minimum: 0,
    maximum: 100,
    description: 'Its share of what applies, in percent; the column sums to exactly 100.00.',
  }),
  score: orNull(Type.Integer({ minimum: 0, maximum: 10, description: 'Null: not scored.' })),
  points: Type.Number({
    minimum: 0,
    maximum: 100,
    description: 'score / 10 × effectiveWeight; 0 while pending. They add up to the score.',
  }),
  pointsMost: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 100,
      description: 'Of a pending criterion: the points it may get, so the score may rise by them.',
    }),
  ),
  reason: textField('Why this score.'),
  state: Type.Optional(openWord('Whether it counts.', ['scored', 'pending', 'not-applicable'])),
  evidence: Type.Optional(Type.Array(link('Where it was read.'))),
  date: Type.Optional(day('Day of the evidence.')),
  findings: Type.Optional(
    Type.Array(ServedFinding, { description: 'Of a desk review: what documents show.' }),
  ),
})
export type BreakdownItem = Static<typeof BreakdownItem>

/** The result of grading one record. */
export type Grading = { catalog: CatalogBlock; breakdown: BreakdownItem[] }
