import type { Static, TSchema } from '@sinclair/typebox'
import {
  type TypeCheck,
  TypeCompiler,
  type ValueError,
  ValueErrorType,
} from '@sinclair/typebox/compiler'
import { suggest } from '../../platform/did-you-mean.ts'
import { cleanText } from '../../platform/text.ts'
import { fieldOf, type ParsedFile, placeOfValue } from '../../platform/yaml/parse-yaml.ts'
import { describe, shortenValue } from '../../platform/yaml/value-words.ts'
import type { FileProblem } from '../records/problem.ts'
import { expected } from './expected.ts'

// More problems than anybody corrects at once.
const PROBLEMS_MAX = 20

/** A check of files against a schema, compiled when the first file comes. */
export type FileCheck<T extends TSchema> = (parsed: ParsedFile) => FileProblem[] | Static<T>

export function fileCheck<T extends TSchema>(schema: T): FileCheck<T> {
  let check: TypeCheck<T> | undefined
  return (parsed) => {
    check ??= TypeCompiler.Compile(schema)
    const unsafe = unsafeTexts(parsed)
    if (unsafe.length > 0) return unsafe
    return check.Check(parsed.value) ? parsed.value : wrongFields(parsed, check)
  }
}

function wrongFields(parsed: ParsedFile, check: TypeCheck<TSchema>): FileProblem[] {
  const byField = new Map<string, FileProblem>()
  for (const error of check.Errors(parsed.value)) {
    if (byField.has(error.path)) continue
    byField.set(error.path, problemOf(parsed, error))
    if (byField.size === PROBLEMS_MAX) break
  }
  return [...byField.values()]
}

function problemOf(parsed: ParsedFile, { type, path, schema, value }: ValueError): FileProblem {
  const where = {
    file: parsed.file,
    ...placeOfValue(parsed, path),
    field: shortenValue(fieldOf(path), 120),
  }
  if (type === ValueErrorType.ObjectAdditionalProperties) {
    const name = fieldOf(path.slice(path.lastIndexOf('/')))
    if (!schema.properties) {
      // The author chooses these names, but only in one form.
      const [pattern = ''] = Object.keys(schema.patternProperties ?? {})
      return { ...where, expected: `a name of the form ${pattern}`, found: describe(name) }
    }
    const names = Object.keys(schema.properties)
    const more = suggest(name, names) || ` (${shortenValue(names.join(', '), 200)})`
    return { ...where, expected: `a known field${more}`, found: describe(name) }
  }
  return {
    ...where,
    expected: expected(schema) + expectedText(schema, value),
    found: describeValue(schema, value),
  }
}

function expectedText(schema: TSchema, value: unknown): string {
  return schema.enum && typeof value === 'string' ? suggest(value, schema.enum) : ''
}

function describeValue(schema: TSchema, value: unknown): string {
  if (typeof value === 'string' && schema.maxLength && value.length > schema.maxLength) {
    return `${value.length} characters`
  }
  const quote = schema.type === 'string' && ['number', 'boolean'].includes(typeof value)
  return quote ? `${describe(value)} (text needs quotes)` : describe(value)
}

/** Refuses characters that change the reading direction, hide text or control a terminal. */
function unsafeTexts(parsed: ParsedFile): FileProblem[] {
  const problems: FileProblem[] = []
  const visit = (value: unknown, pointer: string) => {
    if (problems.length >= PROBLEMS_MAX) return
    if (typeof value === 'string') {
      const bad = unsafeIn(value)
      if (bad) {
        const field = shortenValue(fieldOf(pointer), 120)
        const requirement = 'text without control or direction characters'
        problems.push({
          file: parsed.file,
          ...placeOfValue(parsed, pointer),
          field,
          expected: requirement,
          found: bad,
        })
      }
    } else if (value && typeof value === 'object') {
      for (const [key, inner] of Object.entries(value)) {
        visit(inner, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`)
      }
    }
  }
  visit(parsed.value, '')
  return problems
}

/** The first forbidden character of a text, as `U+202E`. */
export function unsafeIn(text: string): string | undefined {
  if (cleanText(text) === text) return undefined
  for (const char of text) {
    if (char !== '\r' && cleanText(char) === char) continue
    return `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
  }
  return 'a broken character'
}
