import { Failure } from '../../failure.ts'
import { inPostgres, type PostgresSide } from './postgres-side.ts'
import { type Contents, createDigest, type Row, type Table } from './rows.ts'
import type { SqliteSide } from './sqlite-side.ts'

/** Called with the number of rows that were copied or compared, of how many, and the current table. */
export type OnProgress = (
  stage: 'copied' | 'compared',
  rows: number,
  of: number,
  table: string,
) => void

type CopyOptions = {
  url: string
  sqlite: SqliteSide
  /** True if rows in PostgreSQL may be replaced. */
  replace: boolean
  onProgress: OnProgress
}

export type Moved = {
  tables: Contents[]
  /** The texts in which U+0000, which PostgreSQL cannot store, became U+FFFD. */
  mended: number
}

const ROWS_AT_ONCE = 500
// A question may hold a megabyte.
const SIZE_AT_ONCE = 4_000_000

/**
 * Copies every table of SQLite to PostgreSQL in one transaction, and reads everything back before
 * the commit. Both have the same migrations. Throws `conflict` if there are rows that may not be
 * replaced, or if a server uses the database; then nothing is changed.
 */
export async function copyToPostgres(options: CopyOptions): Promise<Moved> {
  const { url, sqlite, replace, onProgress } = options
  const tables = sqlite.tables()
  return await inPostgres(url, async (postgres) => {
    requireSame(tables, await postgres.tables())
    if (!replace) await requireEmpty(postgres, tables)
    await postgres.clear(tables)
    const total = tables.reduce((sum, table) => sum + sqlite.count(table), 0)
    const steps = counter('copied', total, onProgress)
    const text = createMender()
    const copied: Contents[] = []
    for (const table of tables) {
      const digest = createDigest()
      for (const rows of inParts(sqlite.rows(table))) {
        const whole = rows.map(text.mend)
        for (const row of whole) digest.add(row)
        await postgres.insert(table, whole)
        steps.add(rows.length, table.name)
      }
      copied.push(digest.contents(table.name))
    }
    const compared = counter('compared', total, onProgress)
    await verify(tables, copied, (table) => postgres.rows(table), compared)
    return { tables: copied, mended: text.count() }
  })
}

/**
 * Copies every table of PostgreSQL to the SQLite database, as of one moment, and reads everything
 * back before the commit. Throws `conflict` while a server uses the database.
 */
export async function copyFromPostgres(options: Omit<CopyOptions, 'replace'>): Promise<Moved> {
  const { url, sqlite, onProgress } = options
  const tables = sqlite.tables()
  return await inPostgres(url, async (postgres) => {
    requireSame(tables, await postgres.tables())
    let total = 0
    for (const table of tables) total += await postgres.count(table)
    const steps = counter('copied', total, onProgress)
    const copied: Contents[] = []
    await sqlite.replace(async (insert) => {
      for (const table of tables) {
        const digest = createDigest()
        for await (const rows of postgres.rows(table)) {
          for (const row of rows) digest.add(row)
          insert(table, rows)
          steps.add(rows.length, table.name)
        }
        copied.push(digest.contents(table.name))
      }
      const compared = counter('compared', total, onProgress)
      await verify(tables, copied, (table) => inParts(sqlite.rows(table)), compared)
    })
    return { tables: copied, mended: 0 }
  })
}

function requireSame(ours: readonly Table[], theirs: readonly Table[]): void {
  const shape = (tables: readonly Table[]) =>
    JSON.stringify(tables.map(({ name, columns }) => [name, columns]))
  if (shape(ours) !== shape(theirs)) throw new Error('the databases have different tables')
}

async function requireEmpty(postgres: PostgresSide, tables: readonly Table[]): Promise<void> {
  let rows = 0
  for (const table of tables) rows += await postgres.count(table)
  if (rows === 0) return
  throw new Failure(
    'conflict',
    `The PostgreSQL database has ${rows} rows of Beckon already; add --force to replace all of them.`,
  )
}

/** Reads the copy and compares it with the original, table by table. */
async function verify(
  tables: readonly Table[],
  copied: readonly Contents[],
  rowsOf: (table: Table) => AsyncIterable<Row[]> | Iterable<Row[]>,
  steps: ReturnType<typeof counter>,
): Promise<void> {
  for (const [i, table] of tables.entries()) {
    const digest = createDigest()
    for await (const rows of rowsOf(table)) {
      for (const row of rows) digest.add(row)
      steps.add(rows.length, table.name)
    }
    const contents = digest.contents(table.name)
    const original = copied[i]
    if (contents.rows === original?.rows && contents.sha256 === original.sha256) continue
    throw new Failure(
      'unavailable',
      `The copy of ${table.name} differs: ${contents.rows} of ${original?.rows} rows, and another checksum. Nothing was changed.`,
    )
  }
}

function* inParts(rows: Iterable<Row>): Iterable<Row[]> {
  let part: Row[] = []
  let size = 0
  for (const row of rows) {
    part.push(row)
    for (const value of row) size += typeof value === 'number' ? 8 : (value?.length ?? 0)
    if (part.length < ROWS_AT_ONCE && size < SIZE_AT_ONCE) continue
    yield part
    part = []
    size = 0
  }
  if (part.length > 0) yield part
}

function createMender() {
  let count = 0
  return {
    count: () => count,
    mend(row: Row): Row {
      if (!row.some((value) => typeof value === 'string' && value.includes('\0'))) return row
      return row.map((value) => {
        if (typeof value !== 'string' || !value.includes('\0')) return value
        count++
        return value.replaceAll('\0', '\ufffd')
      })
    },
  }
}

function counter(stage: 'copied' | 'compared', of: number, onProgress: OnProgress) {
  let done = 0
  return {
    add(rows: number, table: string) {
      done += rows
      onProgress(stage, done, of, table)
    },
  }
}
