import {
  FormatRegistry,
  type TObject,
  type TProperties,
  type TSchema,
  Type,
} from '@sinclair/typebox'
import { oneOf, PatternMeaning } from '../../platform/schema.ts'

/** True if a text is a real day, `YYYY-MM-DD`: not 31 February. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false
  const time = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

FormatRegistry.Set('date', isDay)

// A web address by RFC 3986, without credentials and without characters that end an attribute or a
// line. Letters beyond ASCII are written as %C3%BC, in a domain as xn--….
const SIGN = "[A-Za-z0-9._~:/@!$&'()*+,;=-]|%[0-9A-Fa-f]{2}"
const HOST = '([A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+\\])(:[0-9]*)?'
const LINK_PATTERN = `^https?://${HOST}(/(${SIGN})*)?(\\?(${SIGN}|\\?)*)?(#(${SIGN}|\\?)*)?$`

const SOURCE_PATTERN = `${LINK_PATTERN}|^file:(${SIGN})+$`

export const SLUG_PATTERN = '^[a-z0-9]+(-[a-z0-9]+)*$'

export type TextPattern = { pattern: string; maxLength: number; description: string }

/** Text with a pattern; problems describe it in words. */
export const patternField = (means: string, { pattern, maxLength, description }: TextPattern) =>
  Type.String({ pattern, maxLength, description, [PatternMeaning]: means })

export const word = (description: string) =>
  patternField('small letters, digits and single hyphens', {
    pattern: SLUG_PATTERN,
    maxLength: 64,
    description,
  })

/** Identifier of a record; never used for another one. */
export const slug = (description: string) => word(description)

export const day = (description: string) => Type.String({ format: 'date', description })

export const instantField = (description: string) =>
  Type.String({ format: 'date-time', description })

/** A chain id (CAIP-2), such as `eip155:8453`. */
export const CHAIN_ID = /^[-a-z0-9]{3,8}:[-_a-zA-Z0-9+/=]{1,64}$/

/** A web address: nothing that a browser would run. */
export const link = (description: string) =>
  Type.String({ format: 'uri', pattern: LINK_PATTERN, maxLength: 2000, description })

/**
 * Where something was read: a web address, or `file:` and the name of a file that was imported and
 * that nobody can open from here.
 */
export const sourceLink = (description: string) =>
  Type.String({ format: 'uri', pattern: SOURCE_PATTERN, maxLength: 2000, description })

export const textField = (description: string, maxLength = 4000) =>
  Type.String({ maxLength, description })

export const filledText = (description: string, maxLength = 2000) =>
  Type.String({ minLength: 1, maxLength, description })

export const DOTTED_WORD = /^[a-z0-9-]+(\.[a-z0-9-]+)+$/

export const dottedWord = (description: string) =>
  patternField('a dotted name, such as email.send', {
    pattern: DOTTED_WORD.source,
    maxLength: 100,
    description,
  })

/** Known values; new ones may be added, so readers must accept unknown ones. */
export const openWord = (description: string, examples: readonly string[]) =>
  Type.String({
    maxLength: 64,
    description: `${description} Known values: ${examples.join(', ')}; others may be added.`,
    examples: [...examples],
  })

/** One of a few words; used in files that people write, so that typos are found. */
export const oneWord = (description: string, values: readonly string[]) =>
  Type.Unsafe<string>({ ...oneOf(values), description })

export const countField = (description: string) => Type.Integer({ minimum: 0, description })

/** Null: it was read, and there was no value. */
export const orNull = <T extends TSchema>(schema: T) => {
  const { description, ...rest } = schema
  return Type.Union([rest as T, Type.Null()], description ? { description } : {})
}

/** An object without other keys. */
export const closed = <P extends TProperties>(properties: P, description?: string): TObject<P> =>
  Type.Object(properties, {
    additionalProperties: false,
    ...(description ? { description } : {}),
  })

export const texts = (description: string, maxLength = 2000) =>
  Type.Array(Type.String({ maxLength }), { description })
