import { describe } from '../../platform/yaml/value-words.ts'
import type { WrongValue } from './importer.ts'

type Place = { file: string; record: string }

/** Reads the fields of one foreign record, and reports each that is not as expected. */
export function fieldReader(place: Place, value: unknown, tell: (wrong: WrongValue) => void) {
  const object = isObject(value) ? value : {}

  function read<T>(field: string, expected: string, fits: (value: unknown) => value is T) {
    const it = object[field]
    if (it === undefined || it === null) return undefined
    if (fits(it)) return it
    tell({ wrong: { ...place, field, expected, found: describe(it) } })
    return undefined
  }

  return {
    /** Undefined when it is missing or empty. */
    text: (field: string) => read(field, 'text', isText) || undefined,
    number: (field: string) => read(field, 'a number of at least 0', isAmount),
    flag: (field: string) => read(field, 'true or false', isFlag),
    object: (field: string) => read(field, 'a mapping', isObject),
    list: (field: string): unknown[] => read(field, 'a list', isList) ?? [],
    /** For a value of the right type with a wrong meaning. */
    wrong: (field: string, expected: string, it: unknown) =>
      tell({ wrong: { ...place, field, expected, found: describe(it) } }),
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A text or number as text; empty for anything else, such as an object with its own `toString`. */
export function scalarText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/** Looks a foreign word up in a table; `constructor` is an ordinary word. */
export function lookUpWord<T>(table: Readonly<Record<string, T>>, word: unknown): T | undefined {
  const name = scalarText(word)
  return Object.hasOwn(table, name) ? table[name] : undefined
}

const isText = (value: unknown): value is string => typeof value === 'string'
const isFlag = (value: unknown): value is boolean => typeof value === 'boolean'
const isList = (value: unknown): value is unknown[] => Array.isArray(value)
const isAmount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0
