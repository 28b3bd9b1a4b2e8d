import { Value } from '@sinclair/typebox/value'
import type { Read } from '../../platform/db/database.ts'
import type { VerifyKey } from '../../platform/signing/ed25519.ts'
import { listPeople } from '../accounts/model/person-store.ts'
import { FACT_KINDS } from '../audit/model/fact.ts'
import {
  columnsOf,
  hashOf,
  isGenuine,
  rowDigest,
  Seal,
  type StoredSeal,
} from '../audit/model/seal.ts'
import {
  countUnsealed,
  findStray,
  lastCheckpoint,
  listSealedBy,
  listSeals,
  listUnsealed,
  rowExists,
  type SealedRecord,
} from '../audit/model/seal-store.ts'
import type { QuestionId } from '../wire/ids.ts'
import { factsIn, type KnownFacts } from './known-facts.ts'
import { createFactCheck, type Finding } from './verify-facts.ts'
import { type WitnessedKind, witnessOf } from './witnesses.ts'

/**
 * `sealed`: rows of the trail as they were sealed; `facts`: the same of questions, notifications and
 * messages. `row` and `why` are the first of what is wrong, `findings` everything: each row once.
 * `isNothing`: nothing is sealed although something should be.
 */
export type VerifiedAudit =
  | {
      ok: true
      sealed: number
      facts: number
      unsealed: number
      links: number
      head: string | undefined
    }
  | ({ ok: false; findings: Finding[]; isNothing?: true } & Finding)

const PIECE = 50
// Rows of one moment can be written in another order: their time is taken before the transaction.
const LATE_MS = 2 * 60_000

/** The progress of the check, up to a link. */
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

/** The chain itself is broken, so that nothing after it can be checked. */
class Broken extends Error {}

type Deps = { read: Read; key: VerifyKey; facts: KnownFacts; found(one: Finding): void }
type FactCheck = ReturnType<typeof createFactCheck>

/**
 * Verifies that the rows of the audit trail, and the questions, notifications, deliveries, receipts
 * and permits, are those that were sealed with `key`: none changed, removed, inserted afterwards or
 * moved. Reads all of them. A copy brings its own `facts`.
 */
export async function verifyAudit(
  read: Read,
  key: VerifyKey,
  now: number,
  facts = factsIn(read),
): Promise<VerifiedAudit> {
  const findings = new Map<string | undefined, Finding>()
  const report = (one: Finding) => void (findings.has(one.row) || findings.set(one.row, one))
  const deps = { read, key, facts, found: report }
  const check = createFactCheck(facts, LATE_MS, report)
  let so: So | undefined
  try {
    so = await followChain(deps, check)
    await check.finish(read, so, () => sealsOf(deps, so?.first ?? 0))
    await checkUnsealed(deps, so, now)
  } catch (error) {
    if (!(error instanceof Broken)) throw error
    report({ row: undefined, why: error.message })
  }
  const [first] = findings.values()
  if (first || !so) return no(first?.why ?? '', [...findings.values()])
  const { sealed, last: links, head } = so
  let unsealedFacts = 0
  for (const kind of FACT_KINDS) unsealedFacts += await facts.countUnsealed(kind)
  const why = links > 0 ? undefined : await whyNothing(read, now, unsealedFacts)
  if (why !== undefined) return nothingSealed(why)
  const unsealed = unsealedFacts + (await countUnsealed(read))
  return { ok: true, sealed, facts: check.same(), unsealed, links, head }
}

/**
 * Why a chain without a link is no trail that verifies; undefined where nothing should be sealed yet.
 * A server seals within seconds, and a purge leaves a link, so that only a trail that has just begun
 * has none.
 */
async function whyNothing(read: Read, now: number, facts: number): Promise<string | undefined> {
  const people = (await listPeople(read)).length
  const [oldest] = await listUnsealed(read, 1)
  const isNew = oldest !== undefined && oldest.at >= now - LATE_MS
  if (isNew || people + facts === 0) return undefined
  const here = `people (${people}) or questions, notifications and deliveries (${facts})`
  return `Nothing is sealed, although there are ${here}: the trail was emptied, or no server has sealed it so far. Nothing was checked.`
}

/** The result of a check that had nothing to check. */
export function nothingSealed(why: string): VerifiedAudit {
  return { ok: false, isNothing: true, row: undefined, why, findings: [{ row: undefined, why }] }
}

/** The result of a check that failed. */
export function no(why: string, findings: Finding[] = [{ row: undefined, why }]): VerifiedAudit {
  return { ok: false, row: findings[0]?.row, why, findings }
}

async function checkUnsealed({ read, found: report }: Deps, so: So, now: number): Promise<void> {
  const stray = await findStray(read, so)
  if (stray) report(insertedLink(stray.id, 'no link of the chain seals it'))
  const [oldest] = await listUnsealed(read, 1)
  if (oldest && oldest.at < Math.min(so.reached, now) - LATE_MS) report(late(oldest.id))
}

async function* sealsOf({ read, key }: Deps, first: number): AsyncGenerator<Seal> {
  for (let last = first - 1; ; ) {
    const links = await listSeals(read, last, PIECE)
    for (const link of links) yield readSeal(link, key)
    last = links.at(-1)?.seq ?? last
    if (links.length === 0) return
  }
}

async function followChain(deps: Deps, check: FactCheck): Promise<So> {
  const { read, key } = deps
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
    for (const link of links) await checkLink(deps, so, link, check)
    // Rows that are removed during the check are named in links that are added during it, so the
    // check only stops when there are no more links.
    if (links.length === 0) return so
  }
}

async function checkLink(deps: Deps, so: So, link: StoredSeal, check: FactCheck): Promise<void> {
  const seal = readSeal(link, deps.key)
  const fits =
    so.head === undefined ? so.first > 1 || seal.previous === null : seal.previous === so.head
  if (seal.seq !== so.last + 1 || !fits) {
    throw new Broken(`Link ${so.last + 1} of the chain was removed or replaced.`)
  }
  // If the clock was put back, rows written since then carry earlier times.
  so.reached = Math.min(so.reached, seal.sealedAt)
  await checkRows(deps, so, seal)
  await check.checkLink(seal)
  so.reached = Math.min(so.reached, seal.sealedAt)
  so.last = seal.seq
  so.head = hashOf(link)
}

async function checkRows(deps: Deps, so: So, seal: Seal): Promise<void> {
  const { read, found: report } = deps
  const rows = new Map((await listSealedBy(read, seal.seq)).map((row) => [row.id as string, row]))
  const genuine: SealedRecord[] = []
  const start = so.reached
  for (const [id, at, digest] of seal.rows) {
    const row = rows.get(id)
    rows.delete(id)
    if (at < start - LATE_MS) report(late(id))
    so.reached = Math.max(so.reached, at)
    if (row && rowDigest(row) !== digest) report({ row: id, why: `${id} was changed.` })
    else if (row) genuine.push(row)
    if (!row && at >= so.before) {
      const isThere = await rowExists(read, id)
      report({ row: id, why: `${id} was ${isThere ? 'moved in the chain' : 'removed'}.` })
    }
  }
  so.sealed += genuine.length
  for (const id of rows.keys()) report(insertedLink(id, `link ${seal.seq} lacks it`))
  await checkWitnessed(deps, genuine)
}

/** Receipts and permits that differ from what the trail recorded of them. */
async function checkWitnessed(
  { key, facts, found: report }: Deps,
  rows: SealedRecord[],
): Promise<void> {
  for (const [kind, some] of Map.groupBy(rows, (row) => row.kind)) {
    const noun = witnessOf(kind)
    if (!noun || !facts.witnesses) continue
    const ids = some.flatMap(({ subjectId }) => (subjectId ? [subjectId as QuestionId] : []))
    const witnesses = await facts.witnesses(kind as WitnessedKind, ids, key)
    const questions = await facts.find('question.opened', ids)
    for (const one of some) {
      const { subjectId } = one
      const row = `${noun} of ${subjectId}`
      const witness = witnesses.get(subjectId as QuestionId)
      if (witness && !witness.agrees(one)) {
        report({ row, why: `The ${noun} of question ${subjectId} was changed.` })
      }
      // A question is removed with its receipt and its permit.
      if (!witness && questions.has(subjectId ?? '')) {
        report({ row, why: `The ${noun} of question ${subjectId} was removed.` })
      }
    }
  }
}

function late(id: string): Finding {
  return { row: id, why: `${id} was put in later than it says.` }
}

function insertedLink(id: string, why: string): Finding {
  return { row: id, why: `${id} was put in: ${why}.` }
}

function readSeal(link: StoredSeal, key: VerifyKey): Seal {
  const seal: unknown = isGenuine(link, key) ? JSON.parse(link.body) : undefined
  const isRight = Value.Check(Seal, seal) && Bun.deepMatch(columnsOf(seal), link)
  if (isRight) return seal
  throw new Broken(`Link ${link.seq} of the chain was changed, or signed with another key.`)
}
