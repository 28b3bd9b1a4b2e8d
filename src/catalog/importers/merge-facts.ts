import { createHash } from 'node:crypto'
import { cleanLine, cutText } from '../../platform/text.ts'
import { canonicalJson } from '../publishing/canonical.ts'
import type { AuthoredTool } from '../records/authored.ts'
import { setItem } from './edit-list.ts'
import { setFields } from './edit-yaml.ts'
import { isObject } from './fields.ts'
import { repoKey } from './match.ts'

export type MergeConflict = {
  path: string
  field: string
  curated: unknown
  /** Addresses that the file names for it. */
  curatedSources: string[]
  imported: unknown
  importedSource: string
}
export type FieldChange = { field: string; from: unknown; to: unknown }
export type Merged = { text: string; changed: FieldChange[]; conflicts: MergeConflict[] }

type Facts = Readonly<Record<string, unknown>>
type From = {
  url: string
  read: string
  credit?: string
  /** What an earlier import wrote although the source does not say it. */
  retracted?: Facts | undefined
  /** Whether `facts` is all that the source shows of this record. */
  whole?: boolean
}

/** Eight signs that tell whether a value is still the one that was imported. */
function markOf(value: unknown): string {
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
 * still has the value that the same source gave before. What the source gave before and no longer
 * shows is taken back. A field that has the value already and names no source gets this one. Everything else that differs is a conflict and stays as it is.
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
  const conflicts: MergeConflict[] = []
  const agreed: string[] = []
  const isShown = (field: string) => sources.some(({ facts }) => facts.includes(field))
  // Written by this importer: with its mark, or before it named its sources.
  const isOwnValue = (field: string, before: unknown) =>
    own?.imported?.[field] === markOf(before) ||
    (own && !isShown(field) && Bun.deepEquals(from.retracted?.[field], before))
  for (const [field, value] of Object.entries(facts)) {
    const before = current[field]
    if (isMissing(field, before)) {
      changed.push({ field, from: before ?? null, to: value })
    } else if (isSame(field, before, value)) {
      if (!isShown(field)) agreed.push(field)
    } else if (isOwnValue(field, before)) {
      changed.push({ field, from: before, to: value })
    } else if (!covers(field, before, value)) {
      const curatedSources = sources
        .filter((it) => it !== own && it.facts.includes(field))
        .map(({ url }) => url)
      const sides = { curated: before, curatedSources, imported: value, importedSource: from.url }
      conflicts.push({ path, field, ...sides })
    }
  }
  changed.push(...takenBack(current, facts, from, sources))
  // A file that nothing was ever taken for is left alone.
  if (changed.length === 0 && (agreed.length === 0 || !own)) return { text, changed, conflicts }
  const edits = changed.map(({ field, to }) => ({ field, value: to ?? undefined }))
  const sourced = noted(setFields(text, edits), from, { changed, agreed, sources })
  return { text: sourced, changed, conflicts }
}

// A record cannot do without these.
const NEEDED = new Set(['name', 'summary'])

/**
 * Fields that the source gave before and no longer shows, still as they were written: words for "not
 * known" take their place, or nothing. What a person wrote, or another source shows, stays.
 */
function takenBack(
  current: Readonly<Record<string, unknown>>,
  facts: Facts,
  { url, retracted = {}, whole = false }: From,
  sources: NonNullable<AuthoredTool['sources']>,
): FieldChange[] {
  const own = sources.find((it) => it.url === url && it.imported)
  if (!own) return []
  const isElsewhere = (field: string) =>
    sources.some((it) => it !== own && it.facts.includes(field))
  const marked = Object.entries(own.imported ?? {}).flatMap(([field, mark]) =>
    whole && markOf(current[field]) === mark ? [field] : [],
  )
  const wrote = Object.keys(retracted).filter(
    (field) => !own.facts.includes(field) && Bun.deepEquals(current[field], retracted[field]),
  )
  return [...new Set([...marked, ...wrote])].flatMap((field) => {
    const from = current[field]
    if (from === undefined || field in facts || NEEDED.has(field) || isElsewhere(field)) return []
    const to = field === 'category' ? UNSORTED : OPEN_WORDS.has(field) ? 'unknown' : null
    return from === to ? [] : [{ field, from, to }]
  })
}

// Fields that every record has, and their word for what nobody knows.
const OPEN_WORDS = new Set(['kind', 'auth', 'pricing', 'where'])

/** Fields that every record must have are filled with words that say: nobody knows. */
function isMissing(field: string, value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true
  return isOpen(field, value)
}

function isOpen(field: string, value: unknown): boolean {
  return OPEN_WORDS.has(field) ? value === 'unknown' : field === 'category' && value === UNSORTED
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

type Noted = {
  changed: readonly FieldChange[]
  /** Fields that say the same as the source already: it shows them, and they have no mark of it. */
  agreed: readonly string[]
  sources: NonNullable<AuthoredTool['sources']>
}

/** The entry of `sources` for what was taken: a new one, or more in the one that is there. */
function noted(text: string, from: From, { changed, agreed, sources }: Noted): string {
  const at = sources.findIndex(({ url, imported }) => url === from.url && imported)
  const own = sources[at]
  const given = changed.filter(({ field, to }) => to !== null && !isOpen(field, to))
  const gone = new Set(changed.filter((it) => !given.includes(it)).map(({ field }) => field))
  const shown = [...(own?.facts ?? []), ...agreed, ...given.map(({ field }) => field)]
  const facts = [...new Set(shown)].filter((field) => !gone.has(field))
  const marks = Object.fromEntries(given.map(({ field, to }) => [field, markOf(to)]))
  const kept = Object.entries(own?.imported ?? {}).filter(([field]) => !gone.has(field))
  const item = {
    url: from.url,
    read: from.read,
    facts,
    ...(from.credit ? { credit: creditLine(from.credit) } : {}),
    imported: { ...Object.fromEntries(kept), ...marks },
  }
  return setItem(text, {
    field: 'sources',
    item,
    flow: ['imported'],
    ...(own ? { at } : {}),
  })
}
