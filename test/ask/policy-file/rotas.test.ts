import { afterEach, beforeEach, expect, test } from 'bun:test'
import { applyFile, compareFile, releaseFile } from '../../../src/ask/policy-file/apply-file.ts'
import { exportFile } from '../../../src/ask/policy-file/export-file.ts'
import { lintFile, lintHere } from '../../../src/ask/policy-file/lint-file.ts'
import { insertRota, listRotas } from '../../../src/ask/rota/model/store.ts'
import { readOnCall } from '../../../src/ask/rota/read-on-call.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import { type PageWorld, pageWorld } from '../../support/page-world.ts'
import { addPersonWithPassword } from '../../support/sign-in.ts'

let world: PageWorld
let ana: string
beforeEach(async () => {
  world = await pageWorld()
  for (const name of ['ana', 'bob']) {
    const who = { email: `${name}@example.org`, name, role: 'member' } as const
    const { id } = await addPersonWithPassword({ db: world.db, clock }, who)
    if (name === 'ana') ana = id
  }
})
afterEach(() => world[Symbol.asyncDispose]())

const FILE = `beckon: policy/1
groups:
  engineers: [ana@example.org, bob@example.org]
rotas:
  platform:
    zone: Europe/Berlin
    from: 2026-10-19
    at: "09:00"
    every: 7d
    people: [ana@example.org, bob@example.org] # in turns
rules:
  - id: prod-apply
    match: { toolName: Bash }
    approve: { from: [engineers], tell: ["oncall:platform"] }
`

const deps = () => ({ db: world.db, clock })
const compare = (text: string) => compareFile(deps(), world.workspaceId, { text, name: 'p.yaml' })
async function applyNow(text: string) {
  const { state: base } = await compare(text)
  await applyFile(deps(), world.workspaceId, { text, name: 'p.yaml', base })
}
const names = async (text: string) =>
  (await compare(text)).differences
    .filter(({ part }) => part === 'rota')
    .map(({ name, change, fields }) => [name, change, fields.map(({ field }) => field).join()])
const rotas = () => listRotas(world.db.read, world.workspaceId)
const exported = (before?: string) =>
  exportFile(deps(), world.workspaceId, { baseUrl: 'https://b.example', before })

test('rotas of a file are compared, applied, exported as they were, changed, removed and given back', async () => {
  expect(await names(FILE)).toEqual([['platform', 'added', 'zone,from,at,every,people']])
  await applyNow(FILE)
  expect(await names(FILE)).toEqual([])
  const [rota] = await rotas()
  expect(rota).toMatchObject({ name: 'platform', source: 'file', zone: 'Europe/Berlin' })
  const at = Date.parse('2026-10-20T12:00Z')
  const onCall = await readOnCall(world.db.read, world.workspaceId, 'platform', at)
  expect(onCall).toMatchObject({ kind: 'person', personId: ana })
  expect((await exported(FILE)).replace(/^# beckon-state.*\n/m, '')).toContain('# in turns')
  expect(await names(await exported())).toEqual([])

  const daily = FILE.replace('every: 7d', 'every: 1d')
  expect(await names(daily)).toEqual([['platform', 'changed', 'every']])
  await applyNow(daily)
  expect(await rotas()).toMatchObject([{ id: rota?.id, schedule: { everyDays: 1 } }])
  await releaseFile(deps(), world.workspaceId)
  expect(await rotas()).toMatchObject([{ source: 'hand' }])
  await applyNow(daily)
  const without = daily
    .replace(/rotas:[\s\S]*?rules:/, 'rotas: {}\nrules:')
    .replace(/, tell.*\]/, '')
  expect((await names(without)).map(([name, change]) => [name, change])).toEqual([
    ['platform', 'removed'],
  ])
  await applyNow(without)
  expect(await rotas()).toEqual([])
})

test('a file without the part leaves rotas alone, and one with it those of the pages', async () => {
  const { workspaceId } = world
  const schedule = { startsOn: '2026-01-01', at: '09:00', everyDays: 7, people: [ana] }
  const rota = { id: 'rota_1', workspaceId, zone: 'UTC', source: 'hand', createdAt: 1 } as const
  await world.db.write(async (tx) => {
    await insertRota(tx, { ...rota, name: 'mine', schedule })
    await insertRota(tx, { ...rota, id: 'rota_2', name: 'ops', schedule: undefined })
  })
  expect(await exported()).toContain('ops: external')
  expect(await names('beckon: policy/1\n')).toEqual([])
  await applyNow(FILE.replace('rotas:\n', 'rotas:\n  ops: external\n'))
  expect((await rotas()).map(({ name, source }) => `${name} ${source}`)).toEqual([
    ...['mine hand', 'ops hand', 'platform file'],
  ])
})

test('what is wrong with a rota is named with its line', async () => {
  const lines = async (text: string) =>
    (await lintHere(deps(), world.workspaceId, text))
      .filter(({ level }) => level === 'error')
      .map(({ line, field }) => `${line} ${field}`)
  const wrong: Array<[string, string, string]> = [
    ['Europe/Berlin', 'Europe/Atlantis', '6 rotas.platform.zone'],
    ['2026-10-19', '2026-02-30', '7 rotas.platform.from'],
    ['"09:00"', '"24:00"', '8 rotas.platform.at'],
    ['7d', '7h', '9 rotas.platform.every'],
    ['7d', '0d', '9 rotas.platform.every'],
    ['bob@example.org] #', 'eve@example.org] #', '10 rotas.platform.people[1]'],
    ['bob@example.org] #', 'ana@example.org] #', '10 rotas.platform.people'],
    ['oncall:platform', 'oncall:nobody', '14 rules[0].approve.tell[0]'],
    ['  platform:\n', '  ops: external\n  platform:\n', '5 rotas.ops'],
  ]
  for (const [before, after, finding] of wrong) {
    expect([after, await lines(FILE.replace(before, after))]).toEqual([after, [finding]])
  }
  expect(lintFile(FILE).filter(({ level }) => level === 'error')).toEqual([])
})
