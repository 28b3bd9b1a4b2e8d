import type { TimeRange } from '../../platform/db/time-range.ts'

/** A place in the trail, between two entries; entries are in order of time, then rank, then id. */
export type Place = { at: number; rank: number; id: string }

/**
 * What is still to come of a source of `rank` after `place`: of rows at the very instant of the
 * place, all those of a lower rank, none of a higher one, and of the same rank the lower ids.
 */
export function restOf(place: Place, rank: number): TimeRange['before'] {
  const { at, id } = place
  if (rank === place.rank) return { at, id }
  return rank < place.rank ? { at: at + 1, id: undefined } : { at, id: undefined }
}

/** Below zero when `a` is newer than `b`. */
export function byPlace(a: Place, b: Place): number {
  if (a.at !== b.at) return b.at - a.at
  if (a.rank !== b.rank) return b.rank - a.rank
  return a.id < b.id ? 1 : -1
}

const CURSOR = /^([0-9a-z]{1,9})-([0-9])-([\w.-]{1,64})$/

/** A place as text for a query string, and back; undefined when it is none. */
export function writePlace({ at, rank, id }: Place): string {
  return `${at.toString(36)}-${rank}-${id}`
}

export function readPlace(text: string): Place | undefined {
  const [, at = '', rank = '', id = ''] = CURSOR.exec(text) ?? []
  return at === '' ? undefined : { at: Number.parseInt(at, 36), rank: Number(rank), id }
}
