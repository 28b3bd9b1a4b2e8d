import { sha256 } from '../../platform/signing/sha256.ts'
import { cleanLine, cutText } from '../../platform/text.ts'
import type { AuthoredTool } from '../records/authored.ts'
import { canonicalJson } from '../records/canonical.ts'
import { setItem } from './edit-list.ts'
import { setFields } from './edit-yaml.ts'
import { isObject } from './fields.ts'
import { repoKey } from './identity.ts'

export type MergeConflict = {
  path: string
  field: string
  curated: unknown
  /** The source addresses that the file gives for it. */
  curatedSources: string[]
  imported: unknown
  importedSource: string
}
export type FieldChange = { field: string; from: unknown; to: unknown }
export type Merged = { text: string; changed: FieldChange[]; conflicts: MergeConflict[] }

type Facts = Readonly<Record<string, unknown>>
type From = {
  url: string
  /** The id in the source. */
  id: string
  /** The address under which earlier versions kept it. */
  formerly?: string
  read: string
  credit?: string
  /** Where in the document each field was read. */
  paths: Readonly<Record<string, string>>
  /** Values that an earlier import wrote without support of the source. */
  retracted?: Facts | undefined
  /** True if `facts` is everything that the source states about this record. */
  whole?: boolean
}

/** Eight characters that show whether a value is still the imported one. */
function markOf(value: unknown): string {
  return sha256(canonicalJson(value)).slice(0, 8)
}

/** An entry of `sources` with the mark of each value. */
export function sourceEntry({ url, id, read, credit, paths }: From, facts: Facts) {
  const fields = Object.keys(facts)
  const imported = Object.fromEntries(fields.map((field) => [field, markOf(facts[field])]))
  return {
    url,
    id,
    read,
    facts: fields,
    paths: pathsOf(paths, fields),
    ...(credit ? { credit: creditLine(credit) } : {}),
    imported,
  }
}

function pathsOf(paths: From['paths'], fields: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const path = paths[field]
      return path === undefined ? [] : [[field, cutText(cleanLine(path), 500)]]
    }),
  )
}

type Source = NonNullable<AuthoredTool['sources']>[number]

/** True if an entry is from an earlier import of the same record. */
export function isOwn({ url, id, imported }: Source, from: Omit<From, 'read'>): boolean {
  if (!imported) return false
  return id === undefined ? url === (from.formerly ?? from.url) : id === from.id
}

function creditLine(text: string): string {
  return cutText(cleanLine(text), 500)
}

/**
 * Merges imported facts into a file that a person may have edited. A fact is written if the field
 * is missing or still has the value of the same source; a value that the source no longer states is
 * removed. A field that already has the value without a source gets this source. Every other
 * difference is a conflict and changes nothing.
 */
export function mergeFacts(
  { path, text, tool }: { path: string; text: string; tool: Partial<AuthoredTool> },
  facts: Facts,
  from: From,
): Merged {
  const current = tool as Record<string, unknown>
  const sources = tool.sources ?? []
  const own = sources.find((it) => isOwn(it, from))
  const changed: FieldChange[] = []
  const conflicts: MergeConflict[] = []
  const agreed: string[] = []
  const isShown = (field: string) => sources.some(({ facts }) => facts.includes(field))
  // Written by this importer: it has its mark, or dates from before sources were named.
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
  changed.push(...retractions(current, facts, from, sources))
  // A file without imported values is not changed.
  if (changed.length === 0 && (agreed.length === 0 || !own)) return { text, changed, conflicts }
  const edits = changed.map(({ field, to }) => ({ field, value: to ?? undefined }))
  const sourced = writeNote(setFields(text, edits), from, { changed, agreed, sources })
  return { text: sourced, changed, conflicts }
}

// Required fields of a record.
const NEEDED = new Set(['name', 'summary'])

/**
 * Fields that the source no longer states and that are unchanged since: replaced by words for "not
 * known", or removed. What a person wrote or another source states stays.
 */
function retractions(
  current: Readonly<Record<string, unknown>>,
  facts: Facts,
  { retracted = {}, whole = false, ...from }: From,
  sources: NonNullable<AuthoredTool['sources']>,
): FieldChange[] {
  const own = sources.find((it) => isOwn(it, from))
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

// Required fields with their word for "not known".
const OPEN_WORDS = new Set(['kind', 'auth', 'pricing', 'where'])

/** Fills required fields with words for "not known". */
function isMissing(field: string, value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true
  return isOpen(field, value) || (field === 'summary' && isStandIn(value))
}

/** The summary of a record that no source describes. */
export const NOT_DESCRIBED = 'No source describes it yet.'

// What earlier imports wrote instead, whatever the source said.
const STAND_IN = /^As listed by .+; not described there\.$/

function isStandIn(value: unknown): boolean {
  return value === NOT_DESCRIBED || (typeof value === 'string' && STAND_IN.test(value))
}

function isOpen(field: string, value: unknown): boolean {
  return OPEN_WORDS.has(field) ? value === 'unknown' : field === 'category' && value === UNSORTED
}

/** The category of unsorted records. */
export const UNSORTED = 'unsorted'

function isSame(field: string, before: unknown, value: unknown): boolean {
  if (Bun.deepEquals(before, value)) return true
  if (typeof before !== 'string' || typeof value !== 'string') return false
  if (field === 'repo' || /^https?:/.test(before)) return repoKey(before) === repoKey(value)
  return false
}

// Texts are the curator's choice; other words are not a conflict.
const CHOSEN = new Set(['tags', 'capabilities'])

/** True if the written value contains everything that was imported. */
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
  /** Fields that already agree with the source: it is named for them, without a mark. */
  agreed: readonly string[]
  sources: NonNullable<AuthoredTool['sources']>
}

/** The entry of `sources` for the imported fields: a new one, or the existing one extended. */
function writeNote(text: string, from: From, { changed, agreed, sources }: Noted): string {
  const at = sources.findIndex((it) => isOwn(it, from))
  const own = sources[at]
  const values = changed.filter(({ field, to }) => to !== null && !isOpen(field, to))
  const removed = new Set(changed.filter((it) => !values.includes(it)).map(({ field }) => field))
  const allFacts = [...(own?.facts ?? []), ...agreed, ...values.map(({ field }) => field)]
  const facts = [...new Set(allFacts)].filter((field) => !removed.has(field))
  const marks = Object.fromEntries(values.map(({ field, to }) => [field, markOf(to)]))
  const earlierMarks = Object.entries(own?.imported ?? {}).filter(([field]) => !removed.has(field))
  const item = {
    url: from.url,
    id: from.id,
    read: from.read,
    facts,
    paths: { ...pathsOf(own?.paths ?? {}, facts), ...pathsOf(from.paths, facts) },
    ...(from.credit ? { credit: creditLine(from.credit) } : {}),
    imported: { ...Object.fromEntries(earlierMarks), ...marks },
  }
  return setItem(text, {
    field: 'sources',
    item,
    flow: ['paths', 'imported'],
    ...(own ? { at } : {}),
  })
}
