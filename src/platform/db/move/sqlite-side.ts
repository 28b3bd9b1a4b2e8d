import { Database, type SQLQueryBindings } from 'bun:sqlite'
import { quoted, type Row, selectAll, type Table } from './rows.ts'

/** The tables of the SQLite database at `path`, by name, without those of migrations. */
export type SqliteSide = Disposable & {
  tables(): Table[]
  count(table: Table): number
  rows(table: Table): Iterable<Row>
  /** Empties every table, then writes what `fill` gives it, completely or not at all. */
  replace(
    fill: (insert: (table: Table, rows: readonly Row[]) => void) => Promise<void>,
  ): Promise<void>
}

/** Opens the file as it is. A reader sees all of it as of one moment. */
export function openSqliteSide(path: string, { readonly }: { readonly: boolean }): SqliteSide {
  const database = new Database(path, { readonly, strict: true })
  if (readonly) database.run('begin')

  function tables(): Table[] {
    const names = database
      .query<{ name: string }, []>(
        "select name from sqlite_master where type = 'table' and name not like 'sqlite!_%' escape '!' and name <> 'migrations' order by name",
      )
      .all()
    return names.map(({ name }) => describe(database, name))
  }

  return {
    tables,
    count: ({ name }) =>
      database.query<{ n: number }, []>(`select count(*) as n from ${quoted(name)}`).get()?.n ?? 0,
    *rows(table) {
      // A separate statement, so that the iteration can stop in the middle.
      using statement = database.prepare(selectAll(table))
      for (const row of statement.iterate() as Iterable<Record<string, Row[number]>>) {
        yield table.columns.map((column) => row[column] ?? null)
      }
    },
    async replace(fill) {
      database.run('begin immediate')
      try {
        for (const { name } of tables()) database.run(`delete from ${quoted(name)}`)
        await fill((table, rows) => {
          const places = table.columns.map(() => '?')
          const insert = database.query(
            `insert into ${quoted(table.name)} (${table.columns.map(quoted)}) values (${places})`,
          )
          for (const row of rows) insert.run(...(row as SQLQueryBindings[]))
        })
        database.run('commit')
      } catch (error) {
        database.run('rollback')
        throw error
      }
    },
    [Symbol.dispose]: () => database.close(),
  }
}

function describe(database: Database, name: string): Table {
  const columns = database
    .query<{ name: string; pk: number }, [string]>('select name, pk from pragma_table_info(?)')
    .all(name)
  const key = columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk)
  if (key.length === 0) throw new Error(`the table ${name} has no key`)
  return {
    name,
    columns: columns.map((column) => column.name).sort(),
    key: key.map((column) => column.name),
  }
}
