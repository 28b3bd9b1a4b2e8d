import { Database, type SQLQueryBindings, type Statement } from 'bun:sqlite'
import type { FeedModule } from '../built-site.ts'
import type { CatalogSnapshot } from '../catalog-snapshot.ts'
import { publishedChanges } from '../changes-by-tool.ts'
import { byText } from '../listing-order.ts'
import { DATABASE_PATH } from '../manifest-paths.ts'
import { aboutRows, changeRow, type Row, removedRow, toolRows } from './rows.ts'
import { SCHEMA_VERSION, TABLES } from './tables.ts'

export const SQLITE_TYPE = 'application/vnd.sqlite3'

const PAGE_BYTES = 4096
// It is held in memory; see docs/catalog/feeds.md for how many tools that is.
const BYTES_MOST = 64 * 1024 * 1024
// "Bekn" in the header of the file, for `file` and the like.
const APPLICATION_ID = 0x42656b6e
const PIECE_BYTES = 256 * 1024

/**
 * The catalog as one SQLite file. The rows come from the same functions as the documents, so it says
 * nothing that they do not. The same snapshot gives the same bytes, as far as the same version of
 * SQLite writes them.
 */
export const DATABASE_FILE: FeedModule = {
  *build(snapshot) {
    const bytes = yield* databaseSteps(snapshot, BYTES_MOST)
    if (bytes) yield { path: DATABASE_PATH, type: SQLITE_TYPE, body: { pieces: () => cut(bytes) } }
  },
}

/** Returns nothing if the file would be larger than `bytesMost`. */
export function* databaseSteps(
  snapshot: CatalogSnapshot,
  bytesMost: number,
): Generator<undefined, Uint8Array | undefined> {
  using db = new Database(':memory:')
  // Nobody else reads it, and a transaction of this size would end with a long pause.
  db.run('PRAGMA journal_mode = OFF')
  db.run(`PRAGMA page_size = ${PAGE_BYTES}`)
  db.run(`PRAGMA max_page_count = ${Math.floor(bytesMost / PAGE_BYTES)}`)
  db.run(`PRAGMA application_id = ${APPLICATION_ID}`)
  db.run(`PRAGMA user_version = ${SCHEMA_VERSION}`)
  try {
    db.run(TABLES)
    yield* fill(db, snapshot)
  } catch (error) {
    if ((error as { code?: unknown }).code === 'SQLITE_FULL') return undefined
    throw error
  }
  return db.serialize()
}

function* fill(db: Database, snapshot: CatalogSnapshot): Generator<undefined> {
  const inserts = new Map<string, Statement>()
  const insert = ([table, ...values]: Row) => {
    const statement =
      inserts.get(table) ?? db.prepare(`INSERT INTO ${table} VALUES (${values.map(() => '?')})`)
    inserts.set(table, statement)
    statement.run(...values.map(asStored))
  }
  for (const row of aboutRows(snapshot)) insert(row)
  // In the order of the keys, so that pages are filled one after the other.
  for (const tool of [...snapshot.tools].sort((a, b) => byText(a.slug, b.slug))) {
    for (const row of toolRows(snapshot, tool)) insert(row)
    yield
  }
  for (const change of publishedChanges(snapshot)) {
    insert(changeRow(change))
    yield
  }
  for (const tombstone of snapshot.removed) insert(removedRow(tombstone))
}

function asStored(value: Row[number]): SQLQueryBindings {
  return typeof value === 'boolean' ? Number(value) : (value ?? null)
}

function* cut(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES)
}
