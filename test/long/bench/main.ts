import { Database } from 'bun:sqlite'
import { cpus, loadavg, release, type } from 'node:os'
import { join } from 'node:path'
import { VERSION } from '../../../src/platform/program.ts'
import { measureAsks } from './asks.ts'
import { measureCatalog } from './catalog.ts'
import { measureGate } from './gate.ts'
import { measureHeld } from './held.ts'
import { measureHook } from './hook.ts'
import { measureJail } from './jail.ts'
import { measureLists } from './lists.ts'
import { measureOld } from './old.ts'
import { measurePostgres } from './postgres.ts'
import { ROOT } from './process.ts'
import { measurePush } from './push.ts'
import { holds, type Row, showRow } from './row.ts'
import { measureRules } from './rules.ts'
import { measureSeal } from './seal.ts'
import { measureStart } from './start.ts'
import { measureVotes } from './votes.ts'

const MEASUREMENTS = {
  ask: measureAsks,
  rules: measureRules,
  votes: measureVotes,
  list: measureLists,
  held: measureHeld,
  start: measureStart,
  push: measurePush,
  old: measureOld,
  hook: measureHook,
  jail: measureJail,
  gate: measureGate,
  catalog: measureCatalog,
  seal: measureSeal,
  postgres: measurePostgres,
}

const HELP = `bun run bench [ROW]…: measures the rows of the speed table, each beside its counterpart in the
same run, prints one table and writes bench.json. Without a ROW all of them.

Rows: ${Object.keys(MEASUREMENTS).join(' ')}
For example: bun run bench push`

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !Object.hasOwn(MEASUREMENTS, name))
if (unknown.length > 0) {
  console.log(HELP)
  process.exit(unknown.every((name) => /^(-h|--help)$/.test(name)) ? 0 : 2)
}
const rows: Row[] = []
const loadBefore = loadavg()
console.log('what | figure | beside, in the same run | ratio | must reach | verdict')
for (const [name, measure] of Object.entries(MEASUREMENTS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  for (const row of await measure()) {
    rows.push(row)
    console.log(showRow(row))
  }
}
const report = {
  at: new Date().toISOString(),
  versions: { beckon: VERSION, bun: Bun.version, sqlite: sqliteVersion() },
  machine: {
    cores: cpus().length,
    system: `${type()} ${release()}`,
    loadBefore,
    loadAfter: loadavg(),
  },
  rows: rows.map((row) => ({ ...row, holds: holds(row) })),
}
await Bun.write(join(ROOT, 'bench.json'), `${JSON.stringify(report, null, 2)}\n`)
const short = rows.filter((row) => !holds(row)).length
const load = (one: number[]) => one.map((value) => value.toFixed(2)).join(' ')
console.log(`${rows.length - short} of ${rows.length} rows hold; written to bench.json`)
console.log(`load average before ${load(loadBefore)}, after ${load(loadavg())}`)

function sqliteVersion(): string {
  using database = new Database(':memory:')
  return (
    database.query<{ version: string }, []>('select sqlite_version() version').get()?.version ?? ''
  )
}
