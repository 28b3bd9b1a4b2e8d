import { type TSchema, Type } from '@sinclair/typebox'
import { oneOf } from '../../platform/schema.ts'
import { CHANGE_KINDS } from './change.ts'
import { GRADES } from './grading.ts'
import { AUTHS, KINDS, PLACES, PRICINGS, REGISTRIES, TRANSPORTS } from './tool-fields.ts'
import { closed, day, textField } from './words.ts'
import { X402_LEVELS, X402_UNKNOWN } from './x402.ts'

// Larger pages would only serve readers who want everything.
const VALUES_MOST = 50
const CURSOR_MOST = 600

const SORT_NAMES = ['score', 'name', 'slug', 'updated', 'released', 'stars'] as const
export type SortName = (typeof SORT_NAMES)[number]

/** Each in its natural direction, and reversed with a minus. */
export const SORT_VALUES: readonly string[] = SORT_NAMES.flatMap((name) => [name, `-${name}`])

/** The order of a search: the best matches first. */
export const BEST = 'best'

/** Any of several words, separated by commas. */
export const anyOf = (description: string, examples: readonly string[] = []) =>
  Type.Array(Type.String(examples.length > 0 ? { examples: [...examples] } : {}), {
    minItems: 1,
    maxItems: VALUES_MOST,
    description,
  })

const yesOrNo = (description: string) => Type.Boolean({ description })

/** Every parameter of the listing; reading and OpenAPI use the same list. */
export const LISTING_PARAMETERS = {
  kind: anyOf('What it is.', KINDS),
  category: anyOf('Categories; `/api/v1/categories.json` has them.'),
  area: anyOf('Areas that categories belong to.'),
  grade: anyOf('Grades; `none`: no grade yet.', [...GRADES, 'none']),
  minScore: Type.Number({
    minimum: 0,
    maximum: 100,
    description: 'The least score; those without one are left out.',
  }),
  transport: anyOf('How it is reached.', TRANSPORTS),
  auth: anyOf('How callers prove who they are.', AUTHS),
  pricing: anyOf('What it costs.', PRICINGS),
  where: anyOf('Where it runs.', PLACES),
  registry: anyOf('Where its packages are.', REGISTRIES),
  capability: anyOf('Dotted words; `email` finds `email.send` too.'),
  tag: anyOf('Free words.'),
  x402: anyOf('Whether calls can be paid one by one; `unknown`: the record does not say.', [
    ...X402_LEVELS,
    X402_UNKNOWN,
  ]),
  up: anyOf('Whether it was up when it was last probed; `unknown`: no probe says.', [
    'yes',
    'no',
    'unknown',
  ]),
  vendor: anyOf('Vendors, by name or in hyphens.'),
  agentReady: yesOrNo('Whether an agent can use it without a person.'),
  graded: yesOrNo('Whether it has a grade.'),
  q: textField('What it is for, in plain words; what matches it well.', 200),
  updatedSince: day('Records that changed on this day or later.'),
  removed: yesOrNo('Adds the removed slugs since `updatedSince`.'),
  sort: oneOf([BEST, ...SORT_VALUES], {
    description:
      'Order; with a minus the other way. `best`, the order of a search without `sort`, weighs match and grade.',
    default: 'score',
  }),
  view: oneOf(['full', 'slim'], {
    description: 'Slim: enough to choose from a list.',
    default: 'full',
  }),
  limit: Type.Integer({
    minimum: 1,
    maximum: 500,
    default: 100,
    description: 'Records on a page.',
  }),
  cursor: textField('`page.cursor` of the page before.', CURSOR_MOST),
} satisfies Record<string, TSchema>
export type ListingParameter = keyof typeof LISTING_PARAMETERS

/** A vendor without signs, as the parameter `vendor` takes it: a comma would begin another value. */
export function vendorWord(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N}]+/gu, '-')
}

/** Every parameter of the calendar; all of them must fit. */
export const CALENDAR_PARAMETERS = {
  tool: anyOf('Slugs.'),
  kind: anyOf('What sort of change.', CHANGE_KINDS),
  category: anyOf('Categories of the tools.'),
}

const { limit: _, cursor: __, sort, ...FILTERS } = LISTING_PARAMETERS

/** The query as it was understood. */
export const Filters = closed(
  {
    ...Object.fromEntries(Object.entries(FILTERS).map(([name, it]) => [name, Type.Optional(it)])),
    sort,
  },
  'What was asked for, as it was understood.',
)
