import { createHash } from 'node:crypto'
import { cleanLine, cutText } from '../../kernel/text.ts'
import type { AuthoredTool } from '../record/authored.ts'
import { canonicalJson } from '../store/canonical.ts'
import { setItem } from './edit-list.ts'
import { setFields } from './edit-yaml.ts'
import { isObject } from './fields.ts'
import { repoKey } from './match.ts'

export type Conflict = {
  path: string
  field: string
  curated: unknown
  /** Addresses that the file names for it. */
  curatedSources: string[]
  imported: unknown
  importedSource: string
}
export type FieldChange = { field: string; from: unknown; to: unknown }
export type Merged = { text: string; changed: FieldChange[]; conflicts: Conflict[] }

type Facts = Readonly<Record<string, unknown>>
type From = { url: string; read: string; credit?: string }

/** Eight signs that tell whether a value is still the one that was imported. */
export function markOf(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex').slice(0, 8)
}

/** An entry of `sources` with the mark of each value. */
export function sourceEntry({ url, read, credit }: From, facts: Facts) {
  const fields = Object.keys(facts)
  const imported = Object.fromEntries(fields.map((field) => [field, markOf(facts[field])]))
  return { url, read, facts: fields, ...(credit ? { credit: creditLine(credit) } : {}), imported }
}

function creditLine(text: string): string {
  return cutText(cleanLine(text), 500)
}

/**
 * Puts imported facts into a file that a person may have written: where a field is missing, or
 * still has the value that the same source gave before. Everything else that differs is a conflict
 * and stays as it is.
 */
export function mergeFacts(
  { path, text, tool }: { path: string; text: string; tool: Partial<AuthoredTool> },
  facts: Facts,
  from: From,
): Merged {
  const current = tool as Record<string, unknown>
  const sources = tool.sources ?? []
  const own = sources.find(({ url, imported }) => url === from.url && imported)
  const changed: FieldChange[] = []
  const conflicts: Conflict[] = []
  for (const [field, value] of Object.entries(facts)) {
    const before = current[field]
    if (isMissing(field, before)) {
      changed.push({ field, from: before ?? null, to: value })
    } else if (isSame(field, before, value)) continue
    else if (own?.imported?.[field] === markOf(before)) {
      changed.push({ field, from: before, to: value })
    } else if (!covers(field, before, value)) {
      const curatedSources = sources
        .filter((it) => it !== own && it.facts.includes(field))
        .map(({ url }) => url)
      const sides = { curated: before, curatedSources, imported: value, importedSource: from.url }
      conflicts.push({ path, field, ...sides })
    }
  }
  if (changed.length === 0) return { text, changed, conflicts }
  const edits = changed.map(({ field, to }) => ({ field, value: to }))
  const sourced = noted(setFields(text, edits), from, changed, sources)
  return { text: sourced, changed, conflicts }
}

/** Fields that every record must have are filled with words that say: nobody knows. */
function isMissing(field: string, value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true
  if (field === 'auth' || field === 'pricing') return value === 'unknown'
  return field === 'category' && value === UNSORTED
}

/** Category of what nobody has sorted yet. */
export const UNSORTED = 'unsorted'

function isSame(field: string, before: unknown, value: unknown): boolean {
  if (Bun.deepEquals(before, value)) return true
  if (typeof before !== 'string' || typeof value !== 'string') return false
  if (field === 'repo' || /^https?:/.test(before)) return repoKey(before) === repoKey(value)
  return false
}

// A curator chooses words; another choice contradicts nothing.
const CHOSEN = new Set(['tags', 'capabilities'])

/** Whether what a curator wrote says all that was imported, and maybe more. */
function covers(field: string, curated: unknown, imported: unknown): boolean {
  if (CHOSEN.has(field)) return true
  if (!Array.isArray(curated) || !Array.isArray(imported)) return false
  return imported.every((item) => curated.some((own) => holds(own, item)))
}

function holds(own: unknown, item: unknown): boolean {
  if (!isObject(own) || !isObject(item)) return Bun.deepEquals(own, item)
  return Object.entries(item).every(([key, value]) => Bun.deepEquals(own[key], value))
}

/** The entry of `sources` for what was taken: a new one, or more in the one that is there. */
function noted(
  text: string,
  from: From,
  changed: readonly FieldChange[],
  sources: NonNullable<AuthoredTool['sources']>,
): string {
  const at = sources.findIndex(({ url, imported }) => url === from.url && imported)
  const own = sources[at]
  const facts = [...new Set([...(own?.facts ?? []), ...changed.map(({ field }) => field)])]
  const marks = Object.fromEntries(changed.map(({ field, to }) => [field, markOf(to)]))
  const item = {
    ...{ url: from.url, read: from.read, facts },
    ...(from.credit ? { credit: creditLine(from.credit) } : {}),
    imported: { ...own?.imported, ...marks },
  }
  return setItem(text, {
    ...{ field: 'sources', item, flow: ['imported'] },
    ...(own ? { at } : {}),
  })
}
