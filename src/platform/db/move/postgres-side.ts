import { SQL, type TransactionSQL } from 'bun'
import { Failure } from '../../failure.ts'
import { queryOn } from '../postgres/migrate.ts'
import { listeningServers, serversFrom } from '../postgres/notify-connection.ts'
import { databaseOf, plain } from '../postgres/pool.ts'
import { quoted, type Row, selectAll, type Table } from './rows.ts'

/** The tables of a PostgreSQL database, by name, inside one transaction. */
export type PostgresSide = {
  tables(): Promise<Table[]>
  count(table: Table): Promise<number>
  /** Rows in the order of the key, a batch at a time. */
  rows(table: Table): AsyncIterable<Row[]>
  /** Locks these tables until the end of the transaction, and empties them. */
  clear(tables: readonly Table[]): Promise<void>
  insert(table: Table, rows: readonly Row[]): Promise<void>
}

const CONNECT_SECONDS = 10
// A question may hold a megabyte.
const ROWS_AT_ONCE = 100
// The protocol counts the values of a statement in 16 bits.
const VALUES_MAX = 65_535

/**
 * Runs `work` in one transaction: it writes everything or nothing, and reads as of one moment.
 * Throws `conflict` while a server uses the database.
 */
export async function inPostgres<T>(
  url: string,
  work: (side: PostgresSide) => Promise<T>,
): Promise<T> {
  const sql = new SQL(url, {
    ...databaseOf(url),
    max: 1,
    connectionTimeout: CONNECT_SECONDS,
    connection: { application_name: 'beckon migrate' },
  })
  try {
    return await sql.begin('isolation level repeatable read', async (tx) => {
      await refuseServed(tx)
      return await work(createSide(tx))
    })
  } finally {
    await sql.close({ timeout: CONNECT_SECONDS })
  }
}

async function refuseServed(tx: TransactionSQL): Promise<void> {
  const servers = await listeningServers(queryOn(tx))
  if (servers.length === 0) return
  throw new Failure(
    'conflict',
    `${serversFrom(servers)} this PostgreSQL database at present; stop every one of them first.`,
  )
}

function createSide(tx: TransactionSQL): PostgresSide {
  return {
    async tables() {
      const rows: Array<{ name: string; columns: string[]; key: string[] }> = await tx.unsafe(LIST)
      return rows.map(({ name, columns, key }) => ({ name, columns: [...columns].sort(), key }))
    },
    async count({ name }) {
      const [{ n }] = await tx.unsafe(`select count(*)::float8 as n from ${quoted(name)}`)
      return n
    },
    async *rows(table) {
      await tx.unsafe(`declare moving no scroll cursor for ${selectAll(table)}`)
      for (;;) {
        const batch = await tx.unsafe(`fetch ${ROWS_AT_ONCE} from moving`).values()
        if (batch.length === 0) break
        yield plain(batch) as Row[]
      }
      await tx.unsafe('close moving')
    },
    async clear(tables) {
      await tx.unsafe(`truncate ${tables.map(({ name }) => quoted(name))}`)
    },
    async insert(table, rows) {
      const width = table.columns.length
      const atOnce = Math.min(ROWS_AT_ONCE, Math.floor(VALUES_MAX / width))
      for (let from = 0; from < rows.length; from += atOnce) {
        const some = rows.slice(from, from + atOnce)
        await tx.unsafe(insertInto(table, some.length), some.flat())
      }
    },
  }
}

const LIST = `select c.relname as name,
    array(select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
    array(select a.attname::text from unnest(i.indkey::int2[]) with ordinality k(num, place)
      join pg_attribute a on a.attrelid = c.oid and a.attnum = k.num order by k.place) as key
  from pg_class c join pg_index i on i.indrelid = c.oid and i.indisprimary
  where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace and c.relname <> 'migrations'
  order by c.relname collate "C"`

function insertInto({ name, columns }: Table, rows: number): string {
  const lines = Array.from({ length: rows }, (_, row) => {
    const places = columns.map((_, column) => `$${row * columns.length + column + 1}`)
    return `(${places})`
  })
  return `insert into ${quoted(name)} (${columns.map(quoted)}) values ${lines}`
}
