import { Failure } from '../../platform/failure.ts'
import { LISTING_PARAMETERS } from '../records/parameters.ts'
import { documentHash } from './etag.ts'
import type { SortPosition } from './sorts.ts'

/** The list and revision that a cursor belongs to. */
export type CursorContext = { list: string; revision: string }

const CURSOR_MOST = LISTING_PARAMETERS.cursor.maxLength as number

/** Opaque to readers; keeps its place whatever is added or removed before it. */
export function writeListingCursor(
  { key, slug }: SortPosition,
  { list, revision }: CursorContext,
): string {
  return Buffer.from(JSON.stringify([list, revision, key, slug])).toString('base64url')
}

/** Throws `invalid_parameter`, `cursor_mismatch` for another list, `revision_expired`. */
export function readCursor(text: string, bound: CursorContext): SortPosition {
  const [list, revision, key, slug] = parts(text)
  if (list !== bound.list) {
    throw new Failure(
      'cursor_mismatch',
      'The cursor belongs to other filters or another order; leave it out to begin this list.',
      { parameter: 'cursor' },
    )
  }
  if (revision !== bound.revision) {
    throw new Failure(
      'revision_expired',
      'The catalog was published anew since this list was begun; leave the cursor out to begin again.',
      { parameter: 'cursor' },
    )
  }
  return { key, slug }
}

/** A short name for a query. */
export function listName(filters: object): string {
  return documentHash(JSON.stringify(filters))
}

function parts(text: string): [string, string, SortPosition['key'], string] {
  const read = text.length <= CURSOR_MOST ? parsed(text) : undefined
  if (Array.isArray(read) && read.length === 4) {
    const [list, revision, key, slug] = read as unknown[]
    if (typeof list === 'string' && typeof revision === 'string' && isKey(key)) {
      if (typeof slug === 'string') return [list, revision, key, slug]
    }
  }
  throw new Failure(
    'invalid_parameter',
    'The parameter cursor must be one that a page of this list gave.',
    { parameter: 'cursor' },
  )
}

function isKey(key: unknown): key is SortPosition['key'] {
  if (key === null || typeof key === 'string' || typeof key === 'number') return true
  return Array.isArray(key) && key.length === 4 && key.every((part) => typeof part === 'number')
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch {
    return undefined
  }
}
