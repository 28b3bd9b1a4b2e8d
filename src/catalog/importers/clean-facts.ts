import type { TSchema } from '@sinclair/typebox'
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler'
import { cleanLine, cutText } from '../../platform/text.ts'
import { describe } from '../../platform/yaml/value-words.ts'
import { unsafeIn } from '../authoring/check-file.ts'
import { expected } from '../authoring/expected.ts'
import { AuthoredTool } from '../records/authored.ts'
import { ALL_FIELDS } from '../records/fields/fields.ts'
import type { ImportedRecord, ToolFacts, WrongValue } from './importer.ts'

// Opinions belong to the curator, and the importer frame writes the sources.
const NEVER = new Set([
  'slug',
  'vendor',
  'sources',
  'text',
  'scores',
  'negatives',
  'gates',
  'assessment',
  'strengths',
  'weaknesses',
  'probe',
  ...ALL_FIELDS.filter(({ imported }) => !imported).flatMap(({ written }) => Object.keys(written)),
])
const CONTROL = /(?![\t\n\r])\p{Cc}/u
const checks = new Map<TSchema, TypeCheck<TSchema>>()

/**
 * The facts of a record that have a place in its document and that the schema of the files allows;
 * the others are left out, and reported where they do not fit.
 * Direction characters are removed, control characters refused, and long texts cut.
 */
export function cleanFacts(
  item: ImportedRecord,
  tell: (wrong: WrongValue) => void,
): Partial<ToolFacts> {
  const facts: Record<string, unknown> = {}
  for (const [field, value] of Object.entries(item.tool)) {
    const schema = (AuthoredTool.properties as Record<string, TSchema>)[field]
    if (!schema || NEVER.has(field) || value === undefined) continue
    // A record that is never made is only recognised by these.
    const isName = item.stub === 'quiet' && (field === 'name' || field === 'kind')
    if (!isName && !Object.hasOwn(item.from.paths, field)) continue
    const fit = fitting(schema, value, (it, actual) => {
      const place = { file: item.from.url, record: item.slug, field }
      tell({ wrong: { ...place, expected: expected(it), found: actual } })
    })
    if (fit !== undefined) facts[field] = fit
  }
  return facts
}

/** A list loses the items that do not fit; any other value fits as a whole or not at all. */
function fitting(schema: TSchema, value: unknown, tell: (it: TSchema, actual: string) => void) {
  if (schema.type === 'array' && Array.isArray(value)) {
    const items = value.map((item) => oneFitting(schema.items, item, tell))
    const remaining = unique(items.filter((item) => item !== undefined))
    return remaining.length > 0 || value.length === 0 ? remaining : undefined
  }
  return oneFitting(schema, value, tell)
}

function oneFitting(schema: TSchema, value: unknown, tell: (it: TSchema, actual: string) => void) {
  const control = controlIn(value)
  if (control) {
    tell(schema, `text with ${control}`)
    return undefined
  }
  const clean = cleaned(schema, value)
  if (checkOf(schema).Check(clean)) return clean
  tell(schema, describe(value))
  return undefined
}

function controlIn(value: unknown): string | undefined {
  if (typeof value === 'string') return CONTROL.test(value) ? unsafeIn(value) : undefined
  if (value === null || typeof value !== 'object') return undefined
  for (const inner of Object.values(value)) {
    const bad = controlIn(inner)
    if (bad) return bad
  }
  return undefined
}

function cleaned(schema: TSchema, value: unknown): unknown {
  if (typeof value === 'string') {
    const line = cleanLine(value)
    const most = schema.maxLength
    const prose = schema.type === 'string' && !schema.pattern && !schema.format
    return prose && most && line.length > most ? `${cutText(line, most - 1).trimEnd()}…` : line
  }
  if (Array.isArray(value)) return value.map((item) => cleaned(schema.items ?? {}, item))
  if (value === null || typeof value !== 'object') return value
  const inner: Record<string, TSchema> = schema.properties ?? {}
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, own]) => own !== undefined)
      .map(([name, own]) => [name, cleaned(inner[name] ?? ({} as TSchema), own)]),
  )
}

function unique(items: unknown[]): unknown[] {
  const earlier = new Set<string>()
  return items.filter((item) => {
    const text = JSON.stringify(item)
    return !earlier.has(text) && earlier.add(text)
  })
}

function checkOf(schema: TSchema): TypeCheck<TSchema> {
  const check = checks.get(schema) ?? TypeCompiler.Compile(schema)
  checks.set(schema, check)
  return check
}
