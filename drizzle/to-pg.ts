import { is, type SQL, sql } from 'drizzle-orm'
import {
  customType,
  type IndexColumn,
  index,
  type PgTable,
  pgTable,
  primaryKey,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { getTableConfig, SQLiteSyncDialect, SQLiteTable } from 'drizzle-orm/sqlite-core'

/**
 * What the kinds of columns are in PostgreSQL. Text orders by its bytes, as in SQLite; counts and
 * instants need more than 32 bits.
 */
const TYPES: Record<string, string> = {
  text: 'text COLLATE "C"',
  integer: 'bigint',
  blob: 'bytea',
}

/** The tables of SQLite as those of PostgreSQL, for its migrations alone: stores use the former. */
export function toPg(tables: Record<string, unknown>): Record<string, PgTable> {
  const made: Record<string, PgTable> = {}
  for (const [name, table] of Object.entries(tables)) {
    if (is(table, SQLiteTable)) made[name] = tableOf(table)
  }
  return made
}

function tableOf(table: SQLiteTable): PgTable {
  const { name, columns, indexes, primaryKeys, foreignKeys, checks } = getTableConfig(table)
  if (foreignKeys.length > 0 || checks.length > 0) throw new Error(`${name} has a constraint`)
  const kinds = columns.map((column) => {
    const type = TYPES[column.getSQLType()]
    if (!type) throw new Error(`${name}.${column.name} is a ${column.getSQLType()}`)
    let kind = customType<{ data: unknown }>({ dataType: () => type })(column.name)
    if (column.primary) kind = kind.primaryKey()
    if (column.notNull) kind = kind.notNull()
    if (column.isUnique) kind = kind.unique(column.uniqueName)
    if (column.default !== undefined) {
      kind = kind.default(sql.raw(literal(column.mapToDriverValue(column.default))))
    }
    return [column.name, kind] as const
  })
  return pgTable(name, Object.fromEntries(kinds), (own) => {
    const at = (column: unknown) => own[(column as { name: string }).name] as IndexColumn
    return [
      ...primaryKeys.map(({ columns }) => {
        const [first, ...others] = columns.map(at)
        return primaryKey({ columns: [first, ...others] as never })
      }),
      ...indexes.map(({ config }) => {
        const [first, ...others] = config.columns.map(at)
        const made = (config.unique ? uniqueIndex : index)(config.name)
        const on = made.on(first as IndexColumn, ...others)
        return config.where ? on.where(written(config.where)) : on
      }),
    ]
  })
}

function literal(value: unknown): string {
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`
  throw new Error(`a default is ${String(value)}`)
}

/** The condition of an index, as both dialects write it. */
function written(where: SQL): SQL {
  const { sql: text, params } = new SQLiteSyncDialect().sqlToQuery(where)
  if (params.length > 0) throw new Error(`the condition of an index has a value: ${text}`)
  return sql.raw(text)
}
