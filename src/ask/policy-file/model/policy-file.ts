import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { oneOf, PatternMeaning } from '../../../platform/schema.ts'
import { VISIBILITIES } from '../../accounts/model/person.ts'
import { PolicyChanges } from '../../policy/model/policy.ts'
import { Protect } from '../../policy/model/protect.ts'
import { RuleDecision, RuleMode, RuleSet } from '../../policy/model/rule.ts'
import { RuleApprove } from '../../policy/model/rule-approve.ts'
import { RuleMatch } from '../../policy/model/rule-match.ts'
import { ChannelsInFile } from './channels-in-file.ts'
import { RotasInFile } from './rotas-in-file.ts'

const NAME_MAX = 60
const ADDRESS_MAX = 254
const GROUPS_MAX = 100
const PEOPLE_MAX = 1_000
const RULES_MAX = 200

// Where the server names people and groups by id, a file names them by address and name.
const NAMES: ReadonlySet<string> = new Set(['from', 'no', 'failoverTo', 'owner', 'tell'])

/** A schema of the server, as it is in a file; `forEditors` also with times such as `45s`. */
function asInFile<T extends TSchema>(schema: T, forEditors: boolean, key = ''): T {
  const next = (one: TSchema, name: string) => asInFile(one, forEditors, name)
  const { properties, items, anyOf, description } = schema
  const copy: TSchema = {
    ...schema,
    ...(description && { description: inFileWords(description) }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties as Record<string, TSchema>).map(([name, one]) => [
          name,
          next(one, name),
        ]),
      ),
    }),
    ...(items && { items: next(items, key) }),
    ...(anyOf && { anyOf: (anyOf as TSchema[]).map((one) => next(one, key)) }),
    ...(schema.type === 'string' && NAMES.has(key) && { maxLength: ADDRESS_MAX }),
  }
  if (!forEditors || !isDuration(key) || schema.type !== 'integer') return copy as T
  const text = Type.String({ pattern: DURATION.source })
  return { description: copy.description, anyOf: [copy, text] } as unknown as T
}

function inFileWords(description: string): string {
  return description
    .replace(/,? by (id|their ids)/, ' (groups by name, people by address)')
    .replace(', in milliseconds', ', such as 45s or 4h')
}

/** Returns true for a field that holds a time in milliseconds. */
export function isDuration(key: string): boolean {
  return /[a-z]Ms$/.test(key)
}

/** A time as files have it: `1500ms`, `45s`, `10m`, `4h`, `7d`. */
export const DURATION = /^\d{1,9}(ms|s|m|h|d)$/

const UNITS: ReadonlyArray<readonly [unit: string, ms: number]> = [
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
]

/** Milliseconds as people write them. */
export function timeText(value: number): string {
  const [unit, ms] = UNITS.find(([, length]) => value % length === 0) ?? ['ms', 1]
  return `${value / ms}${unit}`
}

const ruleId = Type.String({
  pattern: `^[a-z0-9][a-z0-9-]{0,${NAME_MAX - 1}}$`,
  [PatternMeaning]: 'must be small letters, digits and dashes, such as prod-apply',
  description: 'A name that stays, such as prod-apply.',
})

const External = Type.Literal('external', {
  description: 'It comes from a directory or a sign-in provider.',
})

function schemaOf(forEditors: boolean) {
  const of = <T extends TSchema>(schema: T, key = '') => asInFile(schema, forEditors, key)
  const rule = Type.Object(
    {
      id: ruleId,
      match: Type.Optional(of(RuleMatch)),
      set: Type.Optional(of(RuleSet)),
      decision: Type.Optional(RuleDecision),
      approve: Type.Optional(of(RuleApprove)),
      mode: Type.Optional(RuleMode),
    },
    { additionalProperties: false },
  )
  const people = Type.Array(Type.String({ minLength: 3, maxLength: ADDRESS_MAX }), {
    maxItems: PEOPLE_MAX,
    description: 'Who is in it, by address.',
  })
  return Type.Object(
    {
      beckon: Type.Literal('policy/1'),
      policy: Type.Optional(of(PolicyChanges)),
      groups: Type.Optional(
        Type.Record(Type.String(), Type.Union([people, External]), { maxProperties: GROUPS_MAX }),
      ),
      protect: Type.Optional(
        Type.Union([of(Protect), Type.Null()], {
          description: 'Who has to agree to changes of who may decide; null: nobody.',
        }),
      ),
      rotas: Type.Optional(RotasInFile),
      channels: Type.Optional(ChannelsInFile),
      visibility: Type.Optional(
        oneOf(VISIBILITIES, { description: 'What members see of the questions of others.' }),
      ),
      rules: Type.Optional(Type.Array(rule, { maxItems: RULES_MAX })),
    },
    { additionalProperties: false },
  )
}

/** Policy, groups and rules in one file: names in place of ids. A part that is missing stays as it is. */
export const PolicyFile = schemaOf(false)
export type PolicyFile = Static<typeof PolicyFile>

type Sparse = 'protect' | 'rotas' | 'channels' | 'visibility'

/** A file with every part that a workspace has: some are only there if they are not as at first. */
export type WholeFile = Omit<Required<PolicyFile>, Sparse> & Pick<PolicyFile, Sparse>

export type RuleInFile = NonNullable<PolicyFile['rules']>[number]

/** A group whose people the file does not list. */
export const EXTERNAL = 'external'

/** The path at which the server has the schema for editors. */
export const SCHEMA_PATH = '/policy.schema.json'

/** JSON Schema of a policy file, for editors. */
export function editorSchema(): object {
  const $schema = 'https://json-schema.org/draft/2020-12/schema'
  return { $schema, title: 'Beckon policy', ...schemaOf(true) }
}
