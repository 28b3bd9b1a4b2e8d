import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, spyOn, test } from 'bun:test'
import { join } from 'node:path'
import { createToken } from '../../../src/ask/tokens/agent-tokens.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import { openDataFolder } from '../../../src/platform/db/data-folder.ts'
import { DATABASE_FILE } from '../../../src/platform/db/find-database.ts'
import { fillWithEnded } from '../../support/old-rows.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { useEverything } from '../../support/use-everything.ts'

// A part of it is older than what is kept, so that the server forgets it as it starts.
const OLD = { name: 'old', count: 10_000, fromDays: 95, untilDays: 1 }

// Tables that grow with every call.
const GROWING =
  'questions|notifications|deliveries|audit|agent_sessions|hooks|contracts|widenings|late_answers|callbacks|callback_attempts|used_links'
// What waits to be sealed has indexes of its own, which have nothing else in them.
const WHOLE = new RegExp(`^SCAN (${GROWING})\\b(?!.*_unsealed$)`)
// Every row of a workspace, read to be put in order; of contracts, which are few, only by the doctor.
const WORKSPACE = new RegExp(`^SEARCH (?!contracts)(${GROWING}) .*\\(workspace_id=\\?\\)$`)
const SORTED = /^USE TEMP B-TREE FOR (ORDER BY|GROUP BY|DISTINCT)/

const folder = tempFolder()
let statements: string[]
beforeAll(async () => {
  statements = await heard(() => useEverything(fill))
  await fill(folder.path)
}, 60_000)
afterAll(() => folder[Symbol.dispose]())

async function fill(path: string): Promise<void> {
  await using db = openDataFolder(path)
  await createToken({ db, clock }, { workspaceId: 'ws_home', name: 'agent' })
  fillWithEnded(path, OLD, clock.now())
}

/** Every statement that is prepared meanwhile. */
async function heard(work: () => Promise<void>): Promise<string[]> {
  const statements = new Set<string>()
  const prepare = Database.prototype.prepare
  const listen = function (this: Database, sql: string) {
    statements.add(sql)
    return prepare.call(this, sql)
  }
  const spy = spyOn(Database.prototype, 'prepare').mockImplementation(listen as typeof prepare)
  await work()
  spy.mockRestore()
  return [...statements].filter((sql) => /^(select|update|delete)\b/i.test(sql))
}

/** What of its plan looks at more rows than it has to. */
function wasteOf(db: Database, sql: string): string[] {
  const rows = db.query<{ detail: string }, []>(`explain query plan ${sql}`).all()
  const plan = rows.map(({ detail }) => detail)
  const sorted = plan.some((step) => SORTED.test(step))
  return plan.filter((step) => WHOLE.test(step) || (sorted && WORKSPACE.test(step)))
}

test('the statements are those of the whole server', () => {
  expect(statements.length).toBeGreaterThan(80)
  for (const start of [
    'update "questions"',
    'delete from "questions"',
    'delete from "deliveries"',
  ]) {
    expect([start, statements.some((sql) => sql.startsWith(start))]).toEqual([start, true])
  }
})

test('no statement looks through a whole table, nor puts a whole workspace in order', () => {
  using db = new Database(join(folder.path, DATABASE_FILE))
  expect(wasteOf(db, "select id from questions where note = 'x'")).toHaveLength(1)
  expect(wasteOf(db, 'select id from audit where workspace_id = 1 order by kind')).toHaveLength(1)
  expect(statements.flatMap((sql) => wasteOf(db, sql).map((step) => ({ step, sql })))).toEqual([])
})

test('a server leaves no statistics by which a larger database would be searched', async () => {
  using db = new Database(join(folder.path, DATABASE_FILE))
  expect(countsIn(db)).toEqual([])
  db.run('analyze')
  expect(countsIn(db)).not.toEqual([])
  db.run("update sqlite_stat1 set stat = '40' || substr(stat, instr(stat, ' '))")
  using counted = new Database(join(folder.path, DATABASE_FILE))
  expect(statements.flatMap((sql) => wasteOf(counted, sql)).length).toBeGreaterThan(0)
})

function countsIn(db: Database): unknown[] {
  return db.query("select name from sqlite_schema where name like 'sqlite_stat%'").all()
}
