import { type Static, Type } from '@sinclair/typebox'
import { ENDED_GATES } from './grading.ts'
import { closed, textField, texts } from './words.ts'

const means = textField('The rule in words.', 1000)
const whole = (description: string) => Type.Integer({ minimum: 0, description })

/**
 * The fixed rules of the program for every methodology. With the methodology and a record they are
 * enough to compute its grade and rank again.
 */
export const GradingRules = closed(
  {
    effectiveWeights: closed({
      means,
      method: Type.Literal('largest-remainder'),
      unit: Type.Number({ description: 'The smallest step of a weight, in percent.' }),
      sum: whole('What the weights of a graded record sum to, in percent.'),
      ties: Type.Literal('key-ascending'),
    }),
    points: closed({ means }),
    score: closed({
      means,
      from: whole('The least score.'),
      to: whole('The highest score.'),
      decimals: whole('Decimals of a score.'),
      rounding: Type.Literal('half-up'),
    }),
    coverage: closed({
      means,
      gate: textField('The gate that closes below `coverage.full`.', 64),
      decimals: whole('Decimals of the share that is served; the comparison is exact.'),
      rounding: Type.Literal('down'),
    }),
    grade: closed({ means }),
    ranking: closed({
      means,
      by: texts('What a rank goes by, in this order.', 64),
      without: texts('Gates whose records are not ranked.', 64),
      ties: Type.Literal('shared'),
    }),
    desk: closed({
      means,
      odd: whole('What is added where a part of the next level holds.'),
      datedLeast: Type.Number({ description: 'Share of dated findings for medium confidence.' }),
    }),
    listing: closed({
      means,
      by: texts('What the listing is ordered by, in this order.', 64),
      last: texts('Gates whose records come last.', 64),
    }),
  },
  'The arithmetic that is the same for every methodology.',
)
export type GradingRules = Static<typeof GradingRules>

/** Describes the code in `grading/` and the listing order, for readers. */
export const GRADING_RULES: GradingRules = {
  effectiveWeights: {
    means:
      'The share of each criterion that applies, scored or pending, among the weights of all that apply, in percent. Shares are cut to the unit; what is left of the sum goes, one unit each, to the largest remainders, and of equal remainders to the key that comes first in bytewise order. Criteria that do not apply get 0.',
    method: 'largest-remainder',
    unit: 0.01,
    sum: 100,
    ties: 'key-ascending',
  },
  points: {
    means:
      'score / 10 × effective weight, exact; 0 for a pending criterion, whose pointsMost is its effective weight.',
  },
  score: {
    means:
      'The sum of the points and of the deductions that count on the day, which together take no more than negatives.floor; held within the bounds, then rounded. It is the lower end of what is possible, so that a missing score never raises it; the upper end adds the pointsMost of the pending criteria.',
    from: 0,
    to: 100,
    decimals: 1,
    rounding: 'half-up',
  },
  coverage: {
    means:
      'The weights of the scored criteria divided by those of the scored and pending ones. Below coverage.graded the record has no score and no grade. Below coverage.full the gate caps its grade at coverage.cap.',
    gate: 'thin-coverage',
    decimals: 4,
    rounding: 'down',
  },
  grade: {
    means:
      'The first band whose least score the rounded score reaches; then the lowest of that grade and the caps of all gates that are closed.',
  },
  ranking: {
    means:
      'Among graded records of at least the confidence rankFrom, without those of the gates named here: by the grade after gates, best first, then by the score, highest first. Records that are equal in both share a place and the next place counts them all.',
    by: ['grade', 'score'],
    without: [...ENDED_GATES],
    ties: 'shared',
  },
  desk: {
    means:
      'Of a criterion with levels that no score is written for: the highest level whose marks all hold, as those of the levels before it do unless it stands alone, by findings that still count; marks of other kinds or places are left out. Where some marks of the next level hold, 1 is added. No level: pending. A finding counts for the days of its mark from its date, or without one from the day of reading. Confidence is medium if at least this share of the findings has a date, else low; a written assessment goes first.',
    odd: 1,
    datedLeast: 0.8,
  },
  listing: {
    means:
      'By the grade after gates, best first, the score, highest first, and the slug in bytewise order; records without a grade after those, and records of the gates named here last.',
    by: ['grade', 'score', 'slug'],
    last: [...ENDED_GATES],
  },
}
