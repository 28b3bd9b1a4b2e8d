import { type Static, Type } from '@sinclair/typebox'
import { oneOf } from '../../../platform/schema.ts'
import { FRESH, VOTE_PLACES } from '../../votes/model/requirement.ts'
import { isNameOfTarget, TARGET_MAX } from '../../votes/model/target.ts'
import { RuleMatch } from './rule-match.ts'

const ID_MAX = 64
const FROM_MAX = 20
/** More people than anybody waits for. */
export const NEED_MAX = 10
const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

const from = (description: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: ID_MAX }), {
    minItems: 1,
    maxItems: FROM_MAX,
    description,
  })
const tell = (description: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: TARGET_MAX }), {
    minItems: 1,
    maxItems: FROM_MAX,
    description: `${description}: groups and people, by id; owners; oncall:NAME; channel:NAME.`,
  })
const need = Type.Integer({ minimum: 1, maximum: NEED_MAX, description: 'How many of them.' })

const EscalationStep = Type.Object(
  {
    afterMs: Type.Integer({
      minimum: MINUTE_MS,
      maximum: 7 * DAY_MS,
      description: 'How long after the question, in milliseconds.',
    }),
    tell: tell('Who is notified then'),
    inform: Type.Optional(
      Type.Boolean({ description: 'They are told although none of them may decide.' }),
    ),
  },
  { additionalProperties: false },
)

/** Who has to agree to the calls of a rule. */
export const RuleApprove = Type.Object(
  {
    from: from('The groups and people who may decide, by id.'),
    need: Type.Optional(need),
    and: Type.Optional(
      Type.Array(
        Type.Object(
          { from: from('Other groups or people, by id.'), need: Type.Optional(need) },
          { additionalProperties: false },
        ),
        {
          maxItems: 4,
          description: 'Further people who have to agree as well; nobody counts twice.',
        },
      ),
    ),
    asker: Type.Optional(
      oneOf(['excluded', 'counts'], {
        description: 'Whether the owner of the token that asks may decide; excluded by default.',
      }),
    ),
    no: Type.Optional(from('Whose no ends it, by id; by default that of anybody who may decide.')),
    fresh: Type.Optional(
      oneOf(FRESH, {
        description:
          'What a yes needs besides being signed in: a sign-in of the last 15 minutes, or a passkey.',
      }),
    ),
    except: Type.Optional(
      Type.Array(RuleMatch, {
        minItems: 1,
        maxItems: 10,
        description: 'Matching calls that the rule is not for after all.',
      }),
    ),
    where: Type.Optional(
      Type.Array(oneOf(VOTE_PLACES), {
        minItems: 1,
        uniqueItems: true,
        description:
          'Where a yes may be given: on the page, signed in, or in a chat, by an account that its person linked; both by default.',
      }),
    ),
    tell: Type.Optional(tell('Who is notified; by default everybody who may decide')),
    urgent: Type.Optional(
      Type.Boolean({
        description:
          'Notify people in their own quiet hours as well; what they switched off stays off.',
      }),
    ),
    escalate: Type.Optional(
      Type.Array(EscalationStep, {
        minItems: 1,
        maxItems: 10,
        description: 'Who is notified as well while nobody has decided.',
      }),
    ),
    lifeMs: Type.Optional(
      Type.Integer({
        minimum: 10 * MINUTE_MS,
        maximum: 7 * DAY_MS,
        description: 'How long a question stays open, in milliseconds; 4 hours by default.',
      }),
    ),
    usableMs: Type.Optional(
      Type.Integer({
        minimum: MINUTE_MS,
        maximum: DAY_MS,
        description: 'How long a yes may be used, once, in milliseconds; 15 minutes by default.',
      }),
    ),
  },
  { additionalProperties: false },
)
export type RuleApprove = Static<typeof RuleApprove>

export const LIFE_MS = 4 * 60 * MINUTE_MS
export const USABLE_MS = 15 * MINUTE_MS

/** Every group and person that may decide by it, by id. */
export function approverIds({ from, and = [], no = [] }: RuleApprove): string[] {
  return [...new Set([...from, ...and.flatMap((more) => more.from), ...no])]
}

/** The owners whose calls it is not for. */
export function exceptedOwners({ except = [] }: RuleApprove): string[] {
  return except.flatMap(({ owner }) => owner ?? [])
}

/** Every group and person that it tells, by id. */
export function toldIds({ tell = [], escalate = [] }: RuleApprove): string[] {
  return [...tell, ...escalate.flatMap((one) => one.tell)].filter((one) => !isNameOfTarget(one))
}
