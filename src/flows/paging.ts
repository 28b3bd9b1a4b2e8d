import { Failure } from '../kernel/failure.ts'
import { ID_BODY } from '../kernel/ids.ts'

/** Which page of a list: after the one whose `next` was `cursor`, with at most `limit` rows. */
export type PageRequest = { cursor?: string | undefined; limit?: number | undefined }

/** Rows of a page: unless it says otherwise, and whatever it says. */
export type PageSize = { usual: number; most: number }

/** What a list of things shows at once. */
export const LIST_SIZE: PageSize = { usual: 30, most: 100 }

export function limitOf({ limit }: PageRequest, { usual, most }: PageSize): number {
  return Math.min(Math.max(1, limit ?? usual), most)
}

/**
 * The cursor of a list in the order of its ids, which is that of time: the last id of the page
 * before, without its prefix. Throws `malformed` for anything else.
 */
export function idCursor({ cursor }: PageRequest): string | undefined {
  if (cursor === undefined || ID_BODY.test(cursor)) return cursor
  throw unknownCursor()
}

export function unknownCursor(): Failure {
  return new Failure('malformed', 'That cursor is not one of ours; start again without it.')
}

/** The rows of a page out of `found`, which was asked for one more, and the cursor of the next. */
export function pageOf<T>(
  found: readonly T[],
  limit: number,
  cursorAfter: (last: T) => string,
): { items: T[]; next?: string } {
  const items = found.slice(0, limit)
  const last = items.at(-1)
  return found.length > limit && last ? { items, next: cursorAfter(last) } : { items }
}
