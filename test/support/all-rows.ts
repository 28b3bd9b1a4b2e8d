import { Database } from 'bun:sqlite'
import { join } from 'node:path'

// Who works at what, how often somebody tried, the trial of /readyz, what is signed with, the seals
// of the trail, the receipts that are signed a moment later: the server's own housekeeping.
const HOUSEKEEPING = new Set([
  'leases',
  'rate_limits',
  'settings',
  'catalog_manifests',
  'callback_secrets',
  'audit_seals',
  'receipts',
  'unsigned_receipts',
])

// What is sealed says so a moment later.
const UNSEALED = { seal: undefined, asked_seal: undefined, ended_seal: undefined }

type Rows = Record<string, string[]>

/** The folder that was looked at last, as it was then. */
let seen: { dataFolder: string; file: Database; version: number; rows: Rows } | undefined

/** Every row of a data folder, by table, read beside the server: to tell that nothing was changed. */
export function readAllRows(dataFolder: string): Rows {
  if (seen?.dataFolder !== dataFolder) {
    seen?.file.close()
    const file = new Database(join(dataFolder, 'beckon.db'), { readonly: true })
    seen = { dataFolder, file, version: -1, rows: {} }
  }
  // It is another one as soon as another connection has committed anything.
  const version = versionOf(seen.file)
  if (version !== seen.version) Object.assign(seen, { version, rows: rowsOf(seen.file) })
  return seen.rows
}

function versionOf(file: Database): number {
  return file.query<{ data_version: number }, []>('pragma data_version').get()?.data_version ?? -1
}

function rowsOf(file: Database): Rows {
  const tables = file
    .query<{ name: string }, []>("select name from sqlite_master where type = 'table'")
    .all()
    .map(({ name }) => name)
    .filter((name) => !HOUSEKEEPING.has(name) && !/^(sqlite_|__)/.test(name))
  return Object.fromEntries(
    tables.map((name) => [
      name,
      file
        .query<Record<string, unknown>, []>(`select * from "${name}"`)
        .all()
        .filter(({ kind }) => name !== 'audit' || kind !== 'receipt.signed')
        .map((row) => JSON.stringify({ ...row, ...UNSEALED })),
    ]),
  )
}
