import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { Person } from '../../../src/ask/accounts/model/person.ts'
import { findPersonByEmail, putOff } from '../../../src/ask/accounts/model/person-store.ts'
import { findToken } from '../../../src/ask/accounts/model/token-store.ts'
import { audit } from '../../../src/ask/audit/model/table.ts'
import type { Group } from '../../../src/ask/groups/model/group.ts'
import { deleteGroup, insertGroup, putGroupMembers } from '../../../src/ask/groups/model/store.ts'
import { approverChecks } from '../../../src/ask/health/approver-check.ts'
import { ownerChecks } from '../../../src/ask/health/owner-check.ts'
import { addRule } from '../../../src/ask/policy/change-policy.ts'
import { lintHere } from '../../../src/ask/policy-file/lint-file.ts'
import { createToken } from '../../../src/ask/tokens/agent-tokens.ts'
import type { QuestionId } from '../../../src/ask/wire/ids.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import { newId } from '../../../src/platform/ids.ts'
import { beckon } from '../../support/beckon.ts'
import { type PageWorld, pageWorld } from '../../support/page-world.ts'
import { addPersonWithPassword, signInAs } from '../../support/sign-in.ts'

let world: PageWorld
let mara: Person
let ana: Person
let ops: Group
const cookies: Record<string, string> = {}

beforeEach(async () => {
  world = await pageWorld()
  const { db, app, workspaceId } = world
  mara = (await findPersonByEmail(db.read, 'mara@example.org')) as Person
  cookies[mara.id] = world.cookie
  ana = await addPersonWithPassword(
    { db, clock },
    { email: 'ana@example.org', name: 'Ana', role: 'member' },
  )
  cookies[ana.id] = await signInAs(app, ana.id)
  const id = newId('group', clock.now())
  ops = { id, workspaceId, name: 'ops', source: 'hand', externalId: undefined, createdAt: 1 }
  await db.write(async (tx) => {
    await insertGroup(tx, ops)
    await putGroupMembers(tx, ops, 'hand', [mara.id, ana.id])
  })
})
afterEach(() => world[Symbol.asyncDispose]())

const make = (by?: Person, name = 'agent') =>
  createToken(
    { db: world.db, clock },
    { workspaceId: world.workspaceId, name, ...(by && { by: by.id }) },
  )
const rule = (approve: object = {}) =>
  addRule({ db: world.db, clock }, world.workspaceId, {
    match: { toolName: 'Bash' },
    approve: { from: [ops.id], ...approve },
  })

async function send(method: string, path: string, as: Person, body: object) {
  const response = await fetch(`${world.url}/api/v1${path}`, {
    method,
    headers: {
      origin: world.url,
      cookie: cookies[as.id] ?? '',
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  })
  return { ...((await response.json()) as Record<string, unknown>), code: response.status }
}
const give = (id: string, as: Person, owner: string) => send('PATCH', `/keys/${id}`, as, { owner })
const answer = (id: QuestionId, as: Person) =>
  send('POST', `/questions/${id}/answer`, as, { value: 'yes' })

async function ask(token: string, question = 'Apply?') {
  const response = await fetch(`${world.url}/api/v1/questions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ question, toolName: 'Bash', wait: false }),
  })
  return (await response.json()) as {
    correlationId: QuestionId
    hint: string
    handoffAction?: string
  }
}

test('whoever gets a token may no longer decide what it asks, and whoever gave it may', async () => {
  await rule()
  const { token, record } = await make(ana)
  const before = await ask(token)
  expect(await give(record.id, mara, mara.id)).toMatchObject({ code: 200, createdBy: mara.id })
  const after = await ask(token, 'Apply the rest?')
  expect([
    (await answer(before.correlationId, ana)).code,
    (await answer(after.correlationId, mara)).code,
    (await answer(after.correlationId, ana)).code,
  ]).toEqual([403, 403, 200])
  const rows = await world.db.read.select().from(audit)
  expect(rows.filter(({ kind }) => kind === 'token.changed')).toMatchObject([
    { personId: mara.id, subjectId: record.id, detail: 'from Ana to Mara Lindqvist' },
  ])
})

test('only owners of the workspace hand tokens over, to people and groups that are here', async () => {
  const { record } = await make(ana)
  expect((await give(record.id, ana, mara.id)).code).toBe(403)
  const eve = await addPersonWithPassword(
    { db: world.db, clock },
    { email: 'eve@example.org', name: 'Eve', role: 'auditor' },
  )
  const off = await addPersonWithPassword(
    { db: world.db, clock },
    { email: 'off@example.org', name: 'Off', role: 'member' },
  )
  await world.db.write((tx) =>
    putOff(tx, { workspaceId: world.workspaceId, personId: off.id }, clock.now()),
  )
  for (const owner of [eve.id, off.id, 'nobody', 'group_none', ops.name]) {
    expect(await give(record.id, mara, owner)).toMatchObject({ code: 422 })
  }
  expect((await give('key_none', mara, ana.id)).code).toBe(404)
  expect(await findToken(world.db.read, record.id)).toMatchObject({ createdBy: ana.id })
})

test('of a token of a group nobody is left out; rules then have to need two', async () => {
  await rule()
  const { token, record } = await make(ana, 'ci')
  const id = world.workspaceId
  const states = async () => (await approverChecks(world.db.read, [id])).map(({ state }) => state)
  expect(await states()).toEqual(['ok'])
  const page = await world.post(
    `/settings/tokens/${record.id}/owner`,
    { owner: ops.id },
    {
      cookie: world.cookie,
    },
  )
  expect(page.status).toBe(303)
  expect(await findToken(world.db.read, record.id)).toMatchObject({
    createdBy: null,
    ownerGroup: ops.id,
  })
  expect((await answer((await ask(token)).correlationId, ana)).code).toBe(200)
  expect(await states()).toEqual(['warn'])
  const file = (need: number, more = '') =>
    `beckon: policy/1\nrules:\n  - id: all\n    approve: { from: [ops], need: ${need}${more} }\n`
  const fields = async (text: string) =>
    (await lintHere({ db: world.db }, id, text)).map(({ field, level, line }) => [
      field,
      level,
      line,
    ])
  expect(await fields(file(1))).toContainEqual(['rules[0].approve.need', 'warning', 4])
  expect(await fields(file(1, ', asker: counts'))).toEqual([])
  expect(await fields(file(2))).not.toContainEqual(
    expect.arrayContaining(['rules[0].approve.need']),
  )
})

test('a rule about a group is for what its services ask', async () => {
  await addRule({ db: world.db, clock }, world.workspaceId, {
    match: { owner: ops.id },
    approve: { from: [ana.id] },
  })
  const { token, record } = await make(mara)
  expect((await answer((await ask(token)).correlationId, mara)).code).toBe(403)
  await give(record.id, mara, ops.id)
  expect((await answer((await ask(token)).correlationId, mara)).code).toBe(403)
  await addRule({ db: world.db, clock }, world.workspaceId, {
    match: { owner: mara.id },
    decision: 'deny',
  })
  expect((await answer((await ask(token)).correlationId, ana)).code).toBe(200)
})

test('nobody decides what a token of nobody asks; Health names it until it is handed over', async () => {
  await rule()
  const { token, record } = await make()
  const names = async () =>
    (await ownerChecks(world.db.read, [world.workspaceId])).map(({ state, name }) => [state, name])
  expect(await ask(token)).toMatchObject({ handoffAction: 'stop', hint: expect.any(String) })
  expect((await ask(token)).hint).toContain('Whose token')
  expect(await names()).toEqual([['warn', 'Owners of tokens']])
  await give(record.id, mara, ops.id)
  expect(await names()).toEqual([])
  await world.db.write((tx) => deleteGroup(tx, world.workspaceId, ops.id))
  expect(await names()).toEqual([['warn', 'Owners of tokens']])
})

test('the page lists who may own a token, and refuses what acts for one person alone', async () => {
  const { record } = await make(ana)
  const page = await (await world.get(`/settings/tokens/${record.id}/owner`)).text()
  expect(page).toContain('ana@example.org')
  expect(page).toContain('ops')
  expect(await (await world.get('/settings/tokens')).text()).toContain('Ana’s')
  await world.db.write(async (tx) => {
    const { agentTokens } = await import('../../../src/ask/accounts/model/table.ts')
    await tx.update(agentTokens).set({ clientId: 'app_1' })
  })
  expect((await world.get(`/settings/tokens/${record.id}/owner`)).status).toBe(409)
  expect((await give(record.id, mara, mara.id)).code).toBe(409)
})

test('the command asks whose a token is once there are several people', async () => {
  const create = (...args: string[]) =>
    beckon(['key', 'create', '--name', 'ci', '--json', '--data', world.dataFolder, ...args])
  expect(await create()).toMatchObject({ code: 2, err: expect.stringContaining('--owner') })
  expect((await create('--owner', 'nobody@example.org')).code).toBe(2)
  const owned = JSON.parse((await create('--owner', ' Ana@example.org')).out)
  expect(owned).toMatchObject({ createdBy: ana.id, ownerGroup: null })
  expect(JSON.parse((await create('--owner', 'ops')).out)).toMatchObject({
    createdBy: null,
    ownerGroup: ops.id,
  })
  await world.db.write((tx) =>
    putOff(tx, { workspaceId: world.workspaceId, personId: ana.id }, clock.now()),
  )
  expect(JSON.parse((await create()).out)).toMatchObject({ createdBy: mara.id })
})
