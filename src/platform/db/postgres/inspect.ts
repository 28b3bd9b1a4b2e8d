import type { DatabaseConfig } from '../../config/config.ts'
import { createChangeBus } from '../change-bus.ts'
import { placeOf } from '../data-place.ts'
import { type Address, cannotOpen, directTo, mayMakeNoTables } from './cannot-open.ts'
import { openChangeRelay } from './change-relay.ts'
import { checkServer, requireSameDatabase } from './check-server.ts'
import { appliedIn, missingOf } from './migrate.ts'
import { listeningServers } from './notify-connection.ts'
import { openPool, type Query } from './pool.ts'
import { requireTlsFiles } from './tls-files.ts'

/** The state of a database; inspecting it changes nothing. */
export type PostgresReport = {
  /** Host and name of the database. */
  place: string
  /** True if a Beckon server or command has used the database. */
  isKnown: boolean
  /** Migrations of this program that it lacks. */
  missing: string[]
  /** Warnings, each in a sentence. */
  warnings: string[]
  /**
   * Addresses of the servers that use it now, as PostgreSQL sees them; an address may occur twice.
   */
  servers: string[]
}

/** Ends within some seconds, whatever the server does. Throws as `openPostgres` does. */
export async function inspectPostgres(database: DatabaseConfig): Promise<PostgresReport> {
  const { url, listenUrl } = database
  const direct = directTo(database)
  let address: Address = { url, setting: 'BECKON_DATABASE_URL' }
  const warnings: string[] = []
  await using opened = new AsyncDisposableStack()
  try {
    requireTlsFiles(address)
    const pool = openPool({ url, size: 1, isPooled: listenUrl !== undefined })
    opened.defer(pool.close)
    await checkServer(pool.query, (sentence) => warnings.push(sentence))
    address = direct
    requireTlsFiles(address)
    const straight =
      listenUrl === undefined ? pool : openPool({ url: listenUrl, size: 1, isPooled: false })
    opened.defer(straight.close)
    if (straight !== pool) await requireSameDatabase(pool.query, straight.query)
    const servers = await listeningServers(straight.query)
    // Opened as a server opens it, so that it fails with a pooler that accepts LISTEN and passes
    // nothing on.
    const relay = await openChangeRelay({
      url: direct.url,
      changes: createChangeBus(),
      listens: true,
    })
    await relay.close()
    const applied = await appliedIn(straight.query)
    const missing = missingOf(applied).map(({ name }) => name)
    if (missing.length > 0) await requireRights(straight.query, direct)
    if (applied.size === 0) warnings.push(...(await strangersIn(straight.query)))
    return { place: placeOf(url), isKnown: applied.size > 0, missing, warnings, servers }
  } catch (error) {
    throw cannotOpen(error, address)
  }
}

async function requireRights(query: Query, address: Address): Promise<void> {
  const [row] = await query(
    "select current_schema(), has_schema_privilege(current_schema(), 'create')",
    [],
  )
  const [schema, may] = row as [string | null, boolean | null]
  if (may) return
  const why = schema === null ? 'it has no schema to make them in' : `schema ${schema} is closed`
  throw mayMakeNoTables(address, why)
}

/** Tables in a database that no Beckon has used; their names may clash. */
async function strangersIn(query: Query): Promise<string[]> {
  const rows = await query(STRANGERS, [])
  const [first] = rows
  if (!first) return []
  const more = rows.length > 1 ? ' and others' : ''
  return [
    `It holds tables of another program (${first[0]}${more}); give Beckon a database of its own.`,
  ]
}

const STRANGERS =
  'select tablename::text from pg_tables where schemaname = current_schema() order by 1 limit 2'
