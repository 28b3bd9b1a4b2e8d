import type { Db, Tx } from '../../db/database.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { CatalogSource } from '../source/catalog-source.ts'
import { type Row, revisionOf, rowsOf } from './rows.ts'
import {
  addGrades,
  addRevision,
  dropRecords,
  latestRevision,
  type NewGrade,
  putRecords,
  readHashes,
} from './store.ts'
import type { RecordKind } from './table.ts'

/** What a publish did; `changed` counts records of every kind. */
export type Published = {
  revision: string
  sequence: number
  changed: { added: number; updated: number; removed: number }
}

type Deps = { db: Db; clock: Clock }

/**
 * Makes `source` what is served, all of it or nothing, in one transaction; whoever reads meanwhile
 * has the revision before. The same source again is the same revision, and writes nothing.
 */
export async function publish(
  { db, clock }: Deps,
  source: CatalogSource,
  grades: readonly NewGrade[] = [],
): Promise<Published> {
  const rows = rowsOf(source)
  const revision = revisionOf(rows)
  const now = clock.now()
  return await db.write(async (tx) => {
    await tx.lock('catalog')
    const latest = await latestRevision(tx)
    if (latest?.revision === revision) {
      return { revision, sequence: latest.sequence, changed: NOTHING }
    }
    const sequence = (latest?.sequence ?? 0) + 1
    const changed = await replaceRecords(tx, rows, now)
    await addGrades(tx, grades, sequence)
    await addRevision(tx, { sequence, revision, publishedAt: now, ...changed })
    return { revision, sequence, changed }
  })
}

const NOTHING = { added: 0, updated: 0, removed: 0 }

/** What a publish of `source` would do. */
export async function previewPublish({ db }: Pick<Deps, 'db'>, source: CatalogSource) {
  const rows = rowsOf(source)
  const latest = await latestRevision(db.read)
  const { added, updated, gone } = difference(await readHashes(db.read), rows)
  const changed = { added: added.length, updated: updated.length, removed: gone.length }
  const same = latest?.revision === revisionOf(rows)
  const sequence = (latest?.sequence ?? 0) + (same ? 0 : 1)
  return { revision: revisionOf(rows), sequence, changed }
}

async function replaceRecords(tx: Tx, rows: Row[], now: number): Promise<Published['changed']> {
  const { added, updated, gone } = difference(await readHashes(tx), rows)
  await putRecords(tx, [...added, ...updated], now)
  for (const [kind, some] of Map.groupBy(gone, (one) => one.kind)) {
    await dropRecords(
      tx,
      kind,
      some.map(({ key }) => key),
    )
  }
  return { added: added.length, updated: updated.length, removed: gone.length }
}

type Kept = { kind: RecordKind; key: string; hash: string }

function difference(kept: readonly Kept[], rows: readonly Row[]) {
  const before = new Map(kept.map((one) => [nameOf(one), one]))
  const wanted = new Set(rows.map(nameOf))
  return {
    added: rows.filter((row) => !before.has(nameOf(row))),
    updated: rows.filter((row) => {
      const known = before.get(nameOf(row))
      return known !== undefined && known.hash !== row.hash
    }),
    gone: kept.filter((one) => !wanted.has(nameOf(one))),
  }
}

function nameOf({ kind, key }: Pick<Kept, 'kind' | 'key'>): string {
  return `${kind} ${key}`
}
