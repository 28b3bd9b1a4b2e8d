import type { Clock } from '../../platform/clock.ts'
import type { Db, Read, Tx } from '../../platform/db/database.ts'
import { Failure } from '../../platform/failure.ts'
import { runInSteps } from '../../platform/run-in-steps.ts'
import type { CatalogSource } from '../authoring/catalog-source.ts'
import { gradingSteps } from '../grading/grade.ts'
import { methodologyFingerprint, versionProblem } from '../grading/methodology-version.ts'
import { changedPrices, notePrices } from '../history/prices.ts'
import type { AuthoredTool } from '../records/authored.ts'
import type { LiveBySlug } from '../records/live.ts'
import { refuseLost } from './refuse-lost.ts'
import { historyBySlug, type RecordRow, revisionOf, rowsOf } from './rows.ts'
import {
  addGrades,
  addRevision,
  dropRecords,
  keepMethodology,
  latestRevision,
  type NewGrade,
  putRecords,
  readGrades,
  readHashes,
  readMethodologies,
  readTools,
} from './store.ts'
import type { RecordKind } from './table.ts'

/** The result of a publish; `changed` counts records of every kind. */
export type Published = {
  revision: string
  sequence: number
  changed: { added: number; updated: number; removed: number }
}

type Deps = { db: Db; clock: Clock }

/**
 * Publishes `source` in one transaction; readers see the old revision until then. The same source
 * again is the same revision, and writes nothing. Throws `conflict` for a methodology that changed
 * under the version of a published one, and for records that vanish (`refuseLost`). `live` has the measurements, for the grades.
 */
export async function publish(
  { db, clock }: Deps,
  source: CatalogSource,
  live: LiveBySlug = NOT_MEASURED,
): Promise<Published> {
  const rows = rowsOf(source)
  const revision = revisionOf(rows)
  const now = clock.now()
  const { version } = source.methodology
  const fingerprint = methodologyFingerprint(source.methodology)
  const grades = await newGrades(db, source, now, live)
  return await db.write(async (tx) => {
    await tx.lock('catalog')
    const latest = await latestRevision(tx)
    if (latest?.revision === revision) {
      return { revision, sequence: latest.sequence, changed: NOTHING }
    }
    refuseChangedMethodology(await readMethodologies(tx), source)
    await refuseLost(tx, source)
    const sequence = (latest?.sequence ?? 0) + 1
    const changed = await replaceRecords(tx, rows, now)
    await addGrades(tx, grades, sequence)
    await keepMethodology(tx, { version, fingerprint, sequence })
    await addRevision(tx, { sequence, revision, publishedAt: now, ...changed })
    return { revision, sequence, changed }
  })
}

const NOT_MEASURED: LiveBySlug = new Map()
const NOTHING = { added: 0, updated: 0, removed: 0 }

/** The result that publishing `source` would have; throws as it would. */
export async function previewPublish(
  { db }: { db: { read: Read } },
  source: CatalogSource,
): Promise<Published> {
  const rows = rowsOf(source)
  const revision = revisionOf(rows)
  const latest = await latestRevision(db.read)
  refuseChangedMethodology(await readMethodologies(db.read), source)
  await refuseLost(db.read, source)
  const { added, updated, gone: removed } = difference(await readHashes(db.read), rows)
  const changed = { added: added.length, updated: updated.length, removed: removed.length }
  const step = latest?.revision === revision ? 0 : 1
  return { revision, sequence: (latest?.sequence ?? 0) + step, changed }
}

/** The new entries in the history of each tool, under its current slug. */
async function newGrades(
  db: Db,
  source: CatalogSource,
  now: number,
  live: LiveBySlug,
): Promise<NewGrade[]> {
  const earlier = historyBySlug(await readGrades(db.read))
  const today = new Date(now).toISOString().slice(0, 10)
  const gradings = await runInSteps(gradingSteps(source, live, today, earlier))
  return [...gradings].flatMap(([slug, { catalog }]) => {
    const count = earlier.get(slug)?.length ?? 0
    return catalog.history
      .map((item, place) => ({ slug, place, item }))
      .filter(({ place }) => place >= count)
  })
}

function refuseChangedMethodology(published: Map<string, string>, source: CatalogSource): void {
  const problem = versionProblem(published, source.methodology)
  if (problem) throw new Failure('conflict', problem)
}

async function replaceRecords(
  tx: Tx,
  rows: RecordRow[],
  now: number,
): Promise<Published['changed']> {
  const { added, updated, gone: removed } = difference(await readHashes(tx), rows)
  const tools = updated.filter(({ kind }) => kind === 'tool')
  const before = await readTools(
    tx,
    tools.map(({ key }) => key),
  )
  for (const { key, body } of tools) {
    const old = before.get(key)
    if (old) await notePrices(tx, key, changedPrices(old, body as AuthoredTool), now)
  }
  await putRecords(tx, [...added, ...updated], now)
  for (const [kind, some] of Map.groupBy(removed, (one) => one.kind)) {
    await dropRecords(
      tx,
      kind,
      some.map(({ key }) => key),
    )
  }
  return { added: added.length, updated: updated.length, removed: removed.length }
}

type StoredRecord = { kind: RecordKind; key: string; hash: string }

function difference(records: readonly StoredRecord[], rows: readonly RecordRow[]) {
  const before = new Map(records.map((one) => [nameOf(one), one]))
  const names = new Set(rows.map(nameOf))
  return {
    added: rows.filter((row) => !before.has(nameOf(row))),
    updated: rows.filter((row) => {
      const previous = before.get(nameOf(row))
      return previous !== undefined && previous.hash !== row.hash
    }),
    gone: records.filter((one) => !names.has(nameOf(one))),
  }
}

function nameOf({ kind, key }: Pick<StoredRecord, 'kind' | 'key'>): string {
  return `${kind} ${key}`
}
