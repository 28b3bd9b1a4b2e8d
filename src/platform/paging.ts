import { Type } from '@sinclair/typebox'
import { Failure } from './failure.ts'
import { ID_BODY } from './ids.ts'

/**
 * Selects a page of a list: the one after the page whose `next` was `cursor`, with at most `limit`
 * rows.
 */
export type PageRequest = { cursor?: string | undefined; limit?: number | undefined }

/** The rows on a page: by default, and at most. */
export type PageSize = { usual: number; most: number }

/** How many things a list shows at once. */
export const LIST_SIZE: PageSize = { usual: 30, most: 100 }

/** The fields of a query that choose a page of a list. */
export function pageFields({ usual, most }: PageSize) {
  return {
    cursor: Type.Optional(
      Type.String({ description: 'The `next` of the page before; opaque.', maxLength: 200 }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: most,
        default: usual,
        description:
          'Rows at most; there are fewer, and a `next`, where the answer would be over 1 MB.',
      }),
    ),
  }
}

export function limitOf({ limit }: PageRequest, { usual, most }: PageSize): number {
  return Math.min(Math.max(1, limit ?? usual), most)
}

/**
 * The cursor of a list that is ordered by id, and so by time: the last id of the page before,
 * without its prefix. Throws `malformed` for anything else.
 */
export function idCursor({ cursor }: PageRequest): string | undefined {
  if (cursor === undefined || ID_BODY.test(cursor)) return cursor
  throw unknownCursor()
}

export function unknownCursor(): Failure {
  return new Failure('malformed', 'That cursor is not one of ours; start again without it.')
}

/** The most bytes in a page of rows; a larger row gets a page of its own. */
export const ANSWER_BYTES_MAX = 1_000_000
// The bytes around a list of rows, and those of a row besides its stored content.
const AROUND_ALL = 2_000
const AROUND_ROW = 300

/**
 * The rows of a page from `found`, which was queried with one row more, and the cursor of the next
 * page. Rows that would make the answer too large are left for the next page.
 */
export function pageOf<T>(
  rows: readonly T[],
  limit: number,
  cursorAfter: (last: T) => string,
): { items: T[]; next?: string } {
  const items = rows.slice(0, Math.min(limit, fitting(rows)))
  const last = items.at(-1)
  return rows.length > items.length && last ? { items, next: cursorAfter(last) } : { items }
}

/** How many rows, from the first on, fit into one answer; at least one. */
function fitting(rows: readonly unknown[]): number {
  let bytes = AROUND_ALL
  const tooMuch = rows.findIndex((row) => {
    bytes += Buffer.byteLength(JSON.stringify(row)) + AROUND_ROW
    return bytes > ANSWER_BYTES_MAX
  })
  return tooMuch < 0 ? rows.length : Math.max(1, tooMuch)
}

// How many rows are read before it is known how large they are.
const READ_STEP = 32

/**
 * Up to `limit` rows, read in steps, because rows may be so large that not all of them fit into
 * memory. Ends early when the rows fill an answer.
 */
export async function readInSteps<T>(
  limit: number,
  read: (after: T | undefined, limit: number) => Promise<T[]>,
): Promise<T[]> {
  const rows: T[] = []
  while (rows.length < limit) {
    const step = Math.min(READ_STEP, limit - rows.length)
    const some = await read(rows.at(-1), step)
    rows.push(...some)
    if (some.length < step || fitting(rows) < rows.length) break
  }
  return rows
}
