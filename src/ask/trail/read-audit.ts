import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { TimeRange } from '../../platform/db/sql.ts'
import {
  limitOf,
  type PageRequest,
  type PageSize,
  pageOf,
  unknownCursor,
} from '../../platform/paging.ts'
import type { WorkspaceId } from '../accounts/model/ids.ts'
import type { Viewer } from '../accounts/model/person.ts'
import { listPeople } from '../accounts/model/person-store.ts'
import { listTokens } from '../accounts/model/token-store.ts'
import { USUAL_KINDS } from '../audit/model/audit.ts'
import { type AuditEntry, type AuditFilter, NO_FILTER } from '../audit/model/audit-entry.ts'
import type { SubjectId } from '../wire/ids.ts'
import { type SourceRow, TRAIL_SOURCES, type TrailSource } from './audit-sources.ts'
import { withoutUnseen } from './unseen-entries.ts'

type Deps = { db: Db; clock: Clock }

export type AuditPage = {
  entries: AuditEntry[]
  next?: string
  /** Set if so many entries did not match that the page is not full: those since then were read. */
  lookedBackTo?: number
}

/** Entries on one page of the trail. */
export const TRAIL_SIZE: PageSize = { usual: 50, most: 200 }
// Rows in memory at a time during an export, or when the filter leaves most of them out.
const LARGE_PIECE = 500
// Rows read for one page: when few match, the rest is left for the next page, and the page says so.
const LOOKED_AT_MAX = 10_000
// When few rows match they are read in parts, so that a question asked meanwhile need not wait.
const DAY_MS = 24 * 60 * 60_000
const PART_DAYS_MAX = 4
const PARTS_MAX = 100
// Later than any clock.
const END_OF_TIME = 2 ** 45 - 2

/**
 * The audit trail of a workspace, newest first, one page. `next` is the cursor of the following
 * page; when few rows match, a page may hold few entries, or none, and still have one: then
 * `lookedBackTo` says how far it looked. Throws
 * `malformed` for a cursor that these pages did not give out.
 */
export async function readAudit(
  deps: Deps,
  viewer: Viewer,
  filter: AuditFilter,
  page: PageRequest = {},
): Promise<AuditPage> {
  const limit = limitOf(page, TRAIL_SIZE)
  const start = page.cursor === undefined ? undefined : placeOf(page.cursor)
  const leavesOut = (filter.agent ?? filter.sessionId ?? viewer.sees) !== undefined
  const piece = leavesOut ? LARGE_PIECE : limit + 1
  const matches: Matched[] = []
  let looked = 0
  for await (const { place, entry } of walk(deps, viewer, filter, { start, piece })) {
    if (entry) matches.push({ place, entry })
    if (matches.length > limit) break
    if (++looked === LOOKED_AT_MAX) {
      const entries = matches.map((one) => one.entry)
      return { entries, next: writePlace(place), lookedBackTo: place.at }
    }
    // Lets everything else in the process run between two pieces.
    if (leavesOut && looked % LARGE_PIECE === 0) await Bun.sleep(0)
  }
  const { items, ...rest } = pageOf(matches, limit, ({ place }) => writePlace(place))
  return { entries: items.map(({ entry }) => entry), ...rest }
}

/** All matching entries, newest first, read in pieces as they are consumed. */
export async function* exportAudit(
  deps: Deps,
  viewer: Viewer,
  filter: AuditFilter,
): AsyncGenerator<AuditEntry> {
  const all = walk(deps, viewer, filter, { start: undefined, piece: LARGE_PIECE })
  for await (const { entry } of all) if (entry) yield entry
}

/** Entries of one thing, the newest first. */
type Trails = ReadonlyMap<string, readonly AuditEntry[]>

// More would make the page of a workspace with hundreds of devices too large.
const TRAILS_MAX = 1_000

/**
 * The entries about these questions and notifications, by the id of the subject; of all together
 * at most 1,000, the newest.
 */
export async function readTrails(
  deps: Deps,
  viewer: Viewer,
  subjectIds: readonly SubjectId[],
): Promise<Trails> {
  if (subjectIds.length === 0) return new Map()
  const all: AuditEntry[] = []
  for await (const entry of exportAudit(deps, viewer, { ...NO_FILTER, subjectIds })) {
    all.push(entry)
    if (all.length === TRAILS_MAX) break
  }
  return Map.groupBy(all, ({ subjectId }) => subjectId ?? '')
}

function placeOf(cursor: string): Place {
  const place = readPlace(cursor)
  if (place) return place
  throw unknownCursor()
}

type Matched = { place: Place; entry: AuditEntry }
/** A row that was read; without an entry when the filter leaves it out. */
type Looked = { place: Place; entry: AuditEntry | undefined }
type From = { start: Place | undefined; piece: number }

/** Merges the sources: the newest of their next rows comes first. */
async function* walk(
  deps: Deps,
  viewer: Viewer,
  filter: AuditFilter,
  { start, piece }: From,
): AsyncGenerator<Looked> {
  const end = { at: filter.to ?? END_OF_TIME, rank: -1, id: '' }
  const first = start && byPlace(start, end) > 0 ? start : end
  const withNames = await namer(deps, viewer.workspaceId)
  const streams = TRAIL_SOURCES.flatMap((source, rank) =>
    mayMatch(source, filter)
      ? [streamOf(deps, viewer, filter, { source, rank, first, piece })]
      : [],
  )
  const heads = await Promise.all(streams.map(async (stream) => (await stream.next()).value))
  for (;;) {
    let newest = -1
    for (const [i, head] of heads.entries()) {
      const best = heads[newest]
      if (head && (!best || byPlace(head.place, best.place) < 0)) newest = i
    }
    const head = heads[newest]
    if (!head) return
    yield { place: head.place, entry: head.entry && withNames(head.entry) }
    heads[newest] = (await streams[newest]?.next())?.value
  }
}

function mayMatch({ kinds, says }: TrailSource, filter: AuditFilter): boolean {
  if (filter.personId !== undefined && !says.person) return false
  if ((filter.agent ?? filter.sessionId) !== undefined && !says.agent) return false
  return filter.kinds === undefined || filter.kinds.some((kind) => kinds.includes(kind))
}

async function* streamOf(
  { db, clock }: Deps,
  viewer: Viewer,
  filter: AuditFilter,
  of: { source: TrailSource; rank: number; first: Place; piece: number },
): AsyncGenerator<Looked, undefined> {
  const { source, rank, piece } = of
  const wantedKinds = filter.kinds ?? USUAL_KINDS
  const kinds = source.kinds.filter((kind) => wantedKinds.includes(kind))
  let before = restOf(of.first, rank)
  for (const from of partsOf(filter, Math.min(of.first.at, clock.now()))) {
    for (;;) {
      const query = { workspaceId: viewer.workspaceId, filter, kinds }
      const range = { from, before, limit: piece }
      const rows = await withoutUnseen(db.read, viewer, await source.read(db.read, query, range))
      for (const row of rows) {
        const place = placeAt(row, rank)
        before = restOf(place, rank)
        yield { place, entry: row.entry }
      }
      if (rows.length < piece) break
    }
    before = { at: from, id: undefined }
    // Lets everything else in the process run between two parts.
    if (isNarrow(filter)) await Bun.sleep(0)
  }
}

/** The starts of the parts that are read one after the other, newest first. */
function* partsOf(filter: AuditFilter, newest: number): Generator<number> {
  const oldest = filter.from ?? 0
  let from = newest
  for (let part = 0; isNarrow(filter) && part < PARTS_MAX; part++) {
    from -= Math.min(2 ** part, PART_DAYS_MAX) * DAY_MS
    if (from <= oldest) break
    yield from
  }
  yield oldest
}

function isNarrow({ kinds, agent, sessionId, personId }: AuditFilter): boolean {
  return (kinds ?? agent ?? sessionId ?? personId) !== undefined
}

function placeAt({ at, id }: SourceRow, rank: number): Place {
  return { at, rank, id }
}

/** Adds the names of the tokens and people that an entry refers to. */
async function namer({ db }: Deps, workspaceId: WorkspaceId) {
  const tokens = new Map(
    (await listTokens(db.read, workspaceId)).map(({ id, name }) => [id as string, name]),
  )
  const people = new Map((await listPeople(db.read)).map(({ id, name }) => [id as string, name]))
  return (entry: AuditEntry): AuditEntry => ({
    ...entry,
    token: entry.token ?? tokens.get(entry.tokenId ?? ''),
    person: entry.person ?? people.get(entry.personId ?? ''),
  })
}

/** A position between two entries of the trail; entries are ordered by time, then rank, then id. */
type Place = { at: number; rank: number; id: string }

/**
 * The remaining rows of a source of `rank` after `place`: of rows at the same instant, all those of
 * a lower rank, none of a higher one, and of the same rank the lower ids.
 */
function restOf(place: Place, rank: number): TimeRange['before'] {
  const { at, id } = place
  if (rank === place.rank) return { at, id }
  return rank < place.rank ? { at: at + 1, id: undefined } : { at, id: undefined }
}

/** Below zero when `a` is newer than `b`. */
function byPlace(a: Place, b: Place): number {
  if (a.at !== b.at) return b.at - a.at
  if (a.rank !== b.rank) return b.rank - a.rank
  return a.id < b.id ? 1 : -1
}

const CURSOR = /^([0-9a-z]{1,9})-([0-9])-([\w.-]{1,64})$/

/** A position in the trail as a cursor for a query string. */
function writePlace({ at, rank, id }: Place): string {
  return `${at.toString(36)}-${rank}-${id}`
}

/** Undefined if the cursor is not valid. */
function readPlace(text: string): Place | undefined {
  const [, at = '', rank = '', id = ''] = CURSOR.exec(text) ?? []
  return at === '' ? undefined : { at: Number.parseInt(at, 36), rank: Number(rank), id }
}
