import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { Glob } from 'bun'
import { type Column, getTableColumns, getTableName, is, sql } from 'drizzle-orm'
import { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Person } from '../../../src/ask/accounts/model/person.ts'
import { findPersonByEmail } from '../../../src/ask/accounts/model/person-store.ts'
import { CHANNELS } from '../../../src/ask/channels/channels.ts'
import { insertGroup } from '../../../src/ask/groups/model/store.ts'
import { addPerson } from '../../../src/ask/people/people.ts'
import { removePerson } from '../../../src/ask/people/remove-person.ts'
import { personGone } from '../../../src/ask/person-gone.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import { type PageWorld, pageWorld } from '../../support/page-world.ts'

const ROOT = join(import.meta.dir, '../../..')
const NOW = Date.now()

/** Every table, with the text that declares it. */
const tables: Array<{ table: SQLiteTable; source: string }> = []
const parts = personGone({ onEnded: [], channels: CHANNELS })
const listed = Object.assign({}, ...parts.map(({ columns }) => columns)) as Record<
  string,
  'nothing' | { stays: string }
>

// JSON that names nobody: paths, choices, targets by tag, what a rule matches.
const NAMES_NOBODY = new Set(
  `agent_tokens.connection contracts.allowed_paths contracts.off_limits_paths contracts.promises
  deliveries.message directory_people.attributes gate_listings.tools gate_tools.definition gate_tools.last_yes gate_versions.definition gate_versions.last_yes held_answers.edited held_answers.ending hooks.example_paths hooks.gaps identities.groups notifications.context notifications.result notifications.targeting
  providers.settings sign_in_flows.arrival votes.passkey oauth_clients.redirect_uris oauth_codes.scopes oauth_tokens.scopes question_tallies.times rota_feeds.shifts watch_news.item watches.news watches.records
  own_quiet_hours.hours questions.choices questions.detail questions.targeting rules.match`.split(
    /\s+/,
  ),
)

let world: PageWorld
let bo: Person
beforeAll(async () => {
  for (const path of new Glob('src/ask/**/{table,auth-tables}.ts').scanSync(ROOT)) {
    const source = await Bun.file(join(ROOT, path)).text()
    for (const one of Object.values(await import(join(ROOT, path)))) {
      if (is(one, SQLiteTable)) tables.push({ table: one, source })
    }
  }
  world = await pageWorld()
  const who = { email: 'bo@example.org', name: 'Bo', role: 'owner' } as const
  bo = (await addPerson({ db: world.db, clock }, who)).person
})
afterAll(() => world[Symbol.asyncDispose]())

const columnsOf = (table: SQLiteTable) => Object.values(getTableColumns(table)) as Column[]
const nameOf = (table: SQLiteTable, column: Column) => `${getTableName(table)}.${column.name}`
const isJson = (column: Column) =>
  column.columnType === 'SQLiteCustomColumn' && column.getSQLType() === 'text'

test('each column that holds a person is in the list of what becomes of them', () => {
  expect(tables.length).toBeGreaterThan(30)
  const missing = tables.flatMap(({ table, source }) =>
    columnsOf(table)
      .filter((column) => {
        const holds = new RegExp(`<[^>(]*\\bPerson\\w*\\b[^(]*\\('${column.name}'\\)`).test(source)
        const isNamedSo = /person|^user_id$|(?<!ended)_by$|^owner|_owner|^recipient$/.test(
          column.name,
        )
        const mayHold = isJson(column) && !NAMES_NOBODY.has(nameOf(table, column))
        return (holds || isNamedSo || mayHold) && !NOT_PEOPLE.has(nameOf(table, column))
      })
      .map((column) => nameOf(table, column))
      .filter((name) => !(name in listed)),
  )
  expect(missing).toEqual([])
  const columns = tables.flatMap(({ table }) => columnsOf(table).map((one) => nameOf(table, one)))
  expect(Object.keys(listed).filter((name) => !columns.includes(name))).toEqual([])
  expect([...NAMES_NOBODY].filter((name) => !columns.includes(name))).toEqual([])
})

// A process that sends; the name of a person as it was; how many people answered.
const NOT_PEOPLE = new Set([
  'agent_tokens.owner_group',
  'deliveries.claimed_by',
  'callbacks.claimed_by',
  'watch_posts.claimed_by',
  'audit.person_name',
  'policies.file',
  'instructions.person_name',
  'quick_replies.texts',
  'question_tallies.by_person',
])

/** Bo in each column of the list, with whatever else a row needs. */
function rowsOf(table: SQLiteTable) {
  const names = columnsOf(table).filter((column) => nameOf(table, column) in listed)
  const entries = Object.entries(getTableColumns(table)) as Array<[string, Column]>
  return names.map((held, at) =>
    Object.fromEntries(
      entries.map(([key, column]) => [key, valueIn(table, column, column === held, at)]),
    ),
  )
}

const WITH: Record<string, (id: string) => unknown> = {
  // better-auth writes both.
  'credentials.user_id': (id) => id,
  'failovers.steps': (id) => [{ afterMs: 60_000, tell: [id, 'other'] }],
  'failovers.waiting': (id) => [{ personId: id, at: NOW }],
  'failovers.told': (id) => [{ personId: id, at: NOW }],
  'group_members.group_id': () => 'group_1',
  'policies.changes': (id) => ({ failoverTo: [id] }),
  'rotas.schedule': (id) => ({ startsOn: '2026-01-01', at: '09:00', everyDays: 7, people: [id] }),
  'policies.protect': (id) => ({ from: [id] }),
  'rules.set': (id) => ({ failoverTo: [id] }),
  'rules.match': () => ({ toolName: 'Bash' }),
}

function valueIn(table: SQLiteTable, column: Column, isHeld: boolean, at: number): unknown {
  const name = nameOf(table, column)
  const make = WITH[name]
  if (make) return make(bo.id)
  if (isHeld) return bo.id
  if (column.name === 'workspace_id') return world.workspaceId
  if (!column.notNull) return undefined
  if (isJson(column)) return []
  if (column.columnType === 'SQLiteCustomColumn')
    return name.endsWith('_at') ? new Date(NOW) : false
  return column.dataType === 'number' ? NOW : `${name} ${at}`
}

/** The columns of all tables in which the id of Bo stands. */
async function whereBoIs(): Promise<string[]> {
  const places: string[] = []
  for (const { table } of tables) {
    for (const column of columnsOf(table)) {
      const like = `%${bo.id}%`
      const rows = await world.db.orm
        .select({ n: sql<number>`count(*)` })
        .from(table)
        .where(sql`cast(${column} as text) like ${like}`)
      if (Number(rows[0]?.n) > 0) places.push(nameOf(table, column))
    }
  }
  return places.sort()
}

test('whoever is removed is gone from each column that says so, and from each that is in no list', async () => {
  const { workspaceId } = world
  const group = { id: 'group_1', workspaceId, name: 'engineers', source: 'hand' } as const
  await world.db.write(async (tx) => {
    await insertGroup(tx, { ...group, externalId: undefined, createdAt: NOW })
    for (const { table } of tables) {
      if (['people', 'members'].includes(getTableName(table))) continue
      for (const row of rowsOf(table)) await tx.insert(table).values(row).onConflictDoNothing()
    }
  })
  expect(await whereBoIs()).toEqual(Object.keys(listed).sort())
  const mara = await findPersonByEmail(world.db.read, 'mara@example.org')
  if (!mara) throw new Error('nobody owns it')
  await removePerson({ db: world.db, clock, personGone: () => parts }, mara, bo.id)
  const stay = Object.keys(listed).filter((name) => listed[name] !== 'nothing')
  expect((await whereBoIs()).filter((name) => !stay.includes(name))).toEqual([])
})
