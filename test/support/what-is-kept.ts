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

/** Every row of a data folder, by table, read beside the server: to tell that nothing was changed. */
export function whatIsKept(dataFolder: string): Record<string, string[]> {
  using file = new Database(join(dataFolder, 'beckon.db'), { readonly: true })
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
