import { Value } from '@sinclair/typebox/value'
import type { Read } from '../../platform/db/database.ts'
import type { VerifyKey } from '../../platform/ed25519.ts'
import { hashOf, isGenuine, rowDigest, Seal, type StoredSeal } from './model/seal.ts'
import {
  countUnsealed,
  findStray,
  lastCheckpoint,
  listSealedBy,
  listSeals,
  listUnsealed,
  rowExists,
} from './model/seal-store.ts'

/** `row`: the first row that is not as it was sealed; undefined if it is a link of the chain. */
export type VerifiedAudit =
  | { ok: true; sealed: number; unsealed: number; links: number; head: string | undefined }
  | { ok: false; row: string | undefined; why: string }

const PIECE = 50
// Rows of one moment can be written in another order: their time is taken before the transaction.
const LATE_MS = 2 * 60_000

/** What has been found to be right, up to a link. */
type So = {
  first: number
  last: number
  head: string | undefined
  /** The latest time of a row so far: a row that is much earlier was put in afterwards. */
  reached: number
  sealed: number
  /** Rows before this may be missing. */
  before: number
}

class Found extends Error {
  readonly row: string | undefined

  constructor(why: string, row?: string) {
    super(why)
    this.row = row
  }
}

/**
 * Whether the rows of the audit trail are those that were sealed with `key`: none changed, removed,
 * put in afterwards or moved. Reads all of it.
 */
export async function verifyAudit(read: Read, key: VerifyKey, now: number): Promise<VerifiedAudit> {
  try {
    const so = await followChain(read, key)
    const stray = await findStray(read, so)
    if (stray) throw new Found(`${stray.id} was put in: no link of the chain seals it.`, stray.id)
    const [oldest] = await listUnsealed(read, 1)
    if (oldest && oldest.at < Math.min(so.reached, now) - LATE_MS) throw inserted(oldest.id)
    const unsealed = await countUnsealed(read)
    return { ok: true, sealed: so.sealed, unsealed, links: so.last, head: so.head }
  } catch (error) {
    if (!(error instanceof Found)) throw error
    return { ok: false, row: error.row, why: error.message }
  }
}

async function followChain(read: Read, key: VerifyKey): Promise<So> {
  const checkpoint = await lastCheckpoint(read)
  const purged = checkpoint && readSeal(checkpoint, key).purged
  // A copy that was collected before a purge may have more than the trail now.
  const [oldest] = await listSeals(read, 0, 1)
  const first = Math.min(purged?.first ?? 1, oldest?.seq ?? Number.POSITIVE_INFINITY)
  const so: So = {
    first,
    last: first - 1,
    head: undefined,
    reached: -1,
    sealed: 0,
    before: purged?.before ?? -1,
  }
  for (;;) {
    const links = await listSeals(read, so.head === undefined ? 0 : so.last, PIECE)
    for (const link of links) await checkLink(read, key, so, link)
    if (links.length < PIECE) return so
  }
}

async function checkLink(read: Read, key: VerifyKey, so: So, link: StoredSeal): Promise<void> {
  const seal = readSeal(link, key)
  const fits =
    so.head === undefined ? so.first > 1 || seal.previous === null : seal.previous === so.head
  if (seal.seq !== so.last + 1 || !fits) {
    throw new Found(`Link ${so.last + 1} of the chain was removed or replaced.`)
  }
  // Where the clock was put back, the rows since then are earlier.
  so.reached = Math.min(so.reached, seal.sealedAt)
  await checkRows(read, so, seal)
  so.reached = Math.min(so.reached, seal.sealedAt)
  so.last = seal.seq
  so.head = hashOf(link)
}

async function checkRows(read: Read, so: So, seal: Seal): Promise<void> {
  const rows = new Map((await listSealedBy(read, seal.seq)).map((row) => [row.id as string, row]))
  const start = so.reached
  for (const [id, at, digest] of seal.rows) {
    const row = rows.get(id)
    rows.delete(id)
    if (at < start - LATE_MS) throw inserted(id)
    so.reached = Math.max(so.reached, at)
    if (row && rowDigest(row) !== digest) throw new Found(`${id} was changed.`, id)
    if (row) so.sealed++
    if (!row && at >= so.before) {
      const isThere = await rowExists(read, id)
      throw new Found(`${id} was ${isThere ? 'moved in the chain' : 'removed'}.`, id)
    }
  }
  const [more] = rows.keys()
  if (more !== undefined) throw new Found(`${more} was put in: link ${seal.seq} lacks it.`, more)
}

function inserted(id: string): Found {
  return new Found(`${id} was put in later than it says.`, id)
}

function readSeal(link: StoredSeal, key: VerifyKey): Seal {
  const seal: unknown = isGenuine(link, key) ? JSON.parse(link.body) : undefined
  const isRight = Value.Check(Seal, seal) && seal.seq === link.seq
  if (isRight && (seal.purged?.before ?? null) === link.purgedBefore) return seal
  throw new Found(`Link ${link.seq} of the chain was changed, or signed with another key.`)
}
