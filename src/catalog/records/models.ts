import { type Static, Type } from '@sinclair/typebox'
import { closed, countField, patternField } from './words.ts'

/** The most models of a record, written or measured; more would make every list long. */
export const MODELS_MAX = 500

const ID_PATTERN = '^[A-Za-z0-9@~][A-Za-z0-9@~._:/+-]{0,199}$'
const ID = new RegExp(ID_PATTERN)

/** True if a text can be the name of a model in requests, such as `openai/gpt-oss-20b`. */
export function isModelId(text: unknown): text is string {
  return typeof text === 'string' && ID.test(text)
}

const flag = (description: string) => Type.Optional(Type.Boolean({ description }))
const media = (description: string) =>
  Type.Optional(
    Type.Array(
      patternField('a word such as text, image or audio', {
        pattern: '^[a-z0-9-]+$',
        maxLength: 40,
        description: 'Kind of content.',
      }),
      { maxItems: 20, description },
    ),
  )

/** The capabilities of a model. Unknown ones are left out: a missing flag is not `false`. */
export const ModelCapabilities = closed({
  toolCalls: flag('Whether it calls tools.'),
  reasoning: flag('Whether it reasons before it answers.'),
  structuredOutput: flag('Whether its answers keep to a schema.'),
  attachments: flag('Whether it takes files.'),
  openWeights: flag('Whether its weights are public.'),
  contextTokens: Type.Optional(countField('Tokens of the context window.')),
  outputTokens: Type.Optional(countField('Tokens of the longest output.')),
  input: media('What it takes.'),
  output: media('What it gives.'),
  knowledge: Type.Optional(
    patternField('a year, month or day, such as 2026-01', {
      pattern: '^\\d{4}(-(0[1-9]|1[0-2])(-\\d\\d)?)?$',
      maxLength: 10,
      description: 'Until when its knowledge goes.',
    }),
  ),
})
export type ModelCapabilities = Static<typeof ModelCapabilities>

/** `models` of a file: capabilities by the name in requests. */
export const AuthoredModels = Type.Record(Type.String({ pattern: ID_PATTERN }), ModelCapabilities, {
  additionalProperties: false,
  maxProperties: MODELS_MAX,
  description: 'What each model can do, by the name that callers use; a source shows "models".',
})

/** The flags of a served model in plain words. */
const MODEL_FLAGS: ReadonlyArray<readonly [flag: string, words: string]> = [
  ['toolCalls', 'tool calls'],
  ['reasoning', 'reasoning'],
  ['structuredOutput', 'structured output'],
  ['attachments', 'attachments'],
  ['openWeights', 'open weights'],
]

/** Flags of a served model that are true, or (`false`) false. */
export function flagWords(model: Readonly<Record<string, unknown>>, value: boolean): string[] {
  return MODEL_FLAGS.flatMap(([flag, words]) => (model[flag] === value ? [words] : []))
}

/** Models that pages and Markdown show; the record has all of them. */
export const MODELS_SHOWN = 100
