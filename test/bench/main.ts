import { join } from 'node:path'
import { measureAsks } from './asks.ts'
import { measureCatalog } from './catalog.ts'
import { measureHeld } from './held.ts'
import { measureHook } from './hook.ts'
import { measureLists } from './lists.ts'
import { ROOT } from './process.ts'
import { holds, type Row, showRow } from './row.ts'
import { measureStart } from './start.ts'

/**
 * `bun run bench [ask|list|held|start|hook|catalog]…`: measures the rows of the speed table, each beside its
 * counterpart in the same run, prints one table and writes bench.json.
 */
const MEASUREMENTS = {
  ask: measureAsks,
  list: measureLists,
  held: measureHeld,
  start: measureStart,
  hook: measureHook,
  catalog: measureCatalog,
}

const wanted = process.argv.slice(2)
const rows: Row[] = []
console.log('what | figure | beside, in the same run | ratio | must reach | verdict')
for (const [name, measure] of Object.entries(MEASUREMENTS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  for (const row of await measure()) {
    rows.push(row)
    console.log(showRow(row))
  }
}
const report = { at: new Date().toISOString(), bun: Bun.version, rows }
await Bun.write(join(ROOT, 'bench.json'), `${JSON.stringify(report, null, 2)}\n`)
const short = rows.filter((row) => !holds(row)).length
console.log(`${rows.length - short} of ${rows.length} rows hold; written to bench.json`)
