import { wrongFields } from '../../platform/failure.ts'
import type { CatalogSnapshot } from '../feeds/catalog-snapshot.ts'
import { documentHash } from '../feeds/etag.ts'

const NAME_CHARS = 6

/** A place in a list, short enough for a context window: `8.Ab3_xY`. */
export type ListId = { name: string }

/**
 * Identifies a list together with its publish and day, so that a cursor of another list is noticed.
 */
export function listIdOf(snapshot: CatalogSnapshot, input: object): ListId {
  const text = JSON.stringify([snapshot.revision, snapshot.today, input])
  return { name: documentHash(text).slice(0, NAME_CHARS) }
}

export function cursorAt(offset: number, { name }: ListId): string {
  return `${offset}.${name}`
}

/** Throws `invalid_input` for a cursor of another list, or of the catalog before a publish. */
export function offsetOf(cursor: string | undefined, list: ListId): number {
  if (cursor === undefined) return 0
  const [, offset = '', name] = /^(\d{1,6})\.([\w-]{6})$/.exec(cursor) ?? []
  if (name === list.name) return Number(offset)
  throw wrongFields([
    {
      field: 'cursor',
      must: 'must be "next" of the same call before; leave it out to begin again, since the arguments or the catalog have changed',
    },
  ])
}

/** `8 of 41 shown`, and how to see more. */
export function pageSummary(count: number, from: number, total: number, next?: string): string {
  if (total === 0) return 'Nothing found.'
  const place =
    from === 0 ? `${count} of ${total} shown` : `${from + 1} to ${from + count} of ${total}`
  return next ? `${place}; for more repeat the call with cursor "${next}".` : `${place}.`
}
