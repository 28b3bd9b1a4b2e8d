import type { TSchema } from '@sinclair/typebox'

/** What stands in places that take only some forms. */
const FORMS: ReadonlyArray<readonly [looks: RegExp, value: string]> = [
  [/mailto/, 'mailto:report@vendor.example'],
  [/yaml/, 'methodology.yaml'],
  [/\{64\}/, '0123456789abcdef'.repeat(4)],
  [/\\d\{4\}/, '2026-01'],
  [/A-Za-z0-9@/, 'lab/model:free'],
  [/@A-Za-z0-9/, '@vendor/package'],
  [/\\\./, 'vendor.example'],
  [/a-z0-9/, 'word'],
]

type Text = string | (() => string)

/**
 * What a schema lets through with every field there: `text`, or the next one, wherever text may
 * stand, cut to fit.
 */
export function filledFrom(schema: TSchema, text: Text, address: Text, n = 0): unknown {
  const one = (of: Text) => (typeof of === 'string' ? of : of())
  const fill = (inner: TSchema, more = n) => filledFrom(inner, text, address, more)
  if (schema.anyOf) return fill(schema.anyOf[n % 2] ?? schema.anyOf[0])
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[n % schema.enum.length]
  if (schema.type === 'null') return null
  if (schema.type === 'boolean') return n % 2 === 0
  if (schema.type === 'object') {
    const { properties = {}, patternProperties = {} } = schema
    const entries = Object.entries(properties as Record<string, TSchema>)
    const others = Object.entries(patternProperties as Record<string, TSchema>)
    // The one name that files may not have.
    const nameOf = (pattern: string) =>
      formOf(pattern) ?? cut(one(text)).replace('__proto__', 'proto')
    const fields = [...entries, ...others.map(([name, inner]) => [nameOf(name), inner] as const)]
    return Object.fromEntries(fields.map(([name, inner]) => [name, fill(inner)]))
  }
  if (schema.type === 'array') {
    return [fill(schema.items), fill(schema.items, n + 1)].slice(0, schema.maxItems)
  }
  if (schema.type !== 'string') return numberFrom(schema, n)
  if (schema.format === 'date') return '2026-10-01'
  if (schema.format === 'date-time') return '2026-10-01T12:00:00Z'
  if (schema.format === 'uri') return one(address)
  if (schema.pattern) return formOf(schema.pattern)
  return cut(one(text), schema.maxLength)
}

function formOf(pattern: string): string | undefined {
  return FORMS.find(([looks]) => looks.test(pattern))?.[1]
}

/** A piece that is text by itself, and never empty. */
export function cut(text: string, most = 100): string {
  return (text.trim() || 'None').slice(0, Math.min(most, PIECE)).toWellFormed()
}

// A file of a catalog has at most 64 KiB, with every field in it.
const PIECE = 500

function numberFrom({ minimum = 0, maximum, type }: TSchema, n: number): number {
  const [least, most] = [minimum, maximum ?? 4_000_000_000]
  return n % 2 === 0 ? least : type === 'integer' ? most : most - 0.25
}
