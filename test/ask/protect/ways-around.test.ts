import { afterEach, beforeEach, expect, test } from 'bun:test'
import { ownerOf } from '../../../src/ask/accounts/model/agent.ts'
import { findToken } from '../../../src/ask/accounts/model/token-store.ts'
import { audit } from '../../../src/ask/audit/model/table.ts'
import { listDirectories } from '../../../src/ask/directory/model/store.ts'
import { listGroupMembers, listGroups } from '../../../src/ask/groups/model/store.ts'
import { invitePerson } from '../../../src/ask/people/invite-person.ts'
import {
  listRules,
  putProtect,
  readProtect,
  updateRule,
} from '../../../src/ask/policy/model/store.ts'
import { applyFile, compareFile } from '../../../src/ask/policy-file/apply-file.ts'
import { exportFile } from '../../../src/ask/policy-file/export-file.ts'
import { listPolicyTokens } from '../../../src/ask/policy-file/model/store.ts'
import { makePolicyToken } from '../../../src/ask/policy-file/policy-tokens.ts'
import { breakGlass } from '../../../src/ask/protect/break-glass.ts'
import { listProposals } from '../../../src/ask/protect/model/store.ts'
import { questions } from '../../../src/ask/questions/model/table.ts'
import { createToken } from '../../../src/ask/tokens/agent-tokens.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import { type ProtectWorld, protectWorld, theRule } from '../../support/protect-world.ts'
import { addPersonWithPassword, signInAs } from '../../support/sign-in.ts'

// Mara owns the workspace and wants to decide alone. Each test is a way to that which is closed.
let world: ProtectWorld
beforeEach(async () => {
  world = await protectWorld()
})
afterEach(() => world[Symbol.asyncDispose]())

const deps = () => ({ db: world.db, clock })
const placeOf = (response: Response) => response.headers.get('location') ?? ''
const open = async () => (await listProposals(world.db.read, world.workspaceId)).length
const exported = () => exportFile(deps(), world.workspaceId, { baseUrl: world.url })
const member = async (name: string, of: 'engineers' | 'security') =>
  (await listGroupMembers(world.db.read, world.workspaceId)).some(
    (one) => one.groupId === world[of].id && one.personId === world.id(name),
  )

test('a second account of an owner is in no group, and gets into none', async () => {
  const who = { email: 'mara2@example.org', name: 'mara2', role: 'owner' } as const
  const second = await addPersonWithPassword(deps(), who)
  world.cookies.mara2 = await signInAs(world.app, second.id)
  const rule = await theRule(world)
  const form = { toolName: 'Bash', approvers: 'yes', approver: second.id, need: '1' }
  const place = placeOf(await world.submit(`/settings/rules/${rule?.id}`, form, 'mara2'))
  await world.agree(place, 'mara')
  await world.agree(place, 'mara2')
  expect(await theRule(world)).toEqual(rule)
})

test('a group is not deleted and made again, nor renamed', async () => {
  const { security, submit } = world
  expect(placeOf(await submit(`/settings/groups/${security.id}/remove`, {}))).toStartWith('/d/')
  expect((await submit('/settings/groups', { name: 'security' })).status).toBe(409)
  expect(await listGroups(world.db.read, world.workspaceId)).toHaveLength(2)
})

test('a file is proposed, by a token as by a person, and its maker does not agree', async () => {
  const { mara } = world.people
  if (!mara) throw new Error('nobody owns it')
  const { db, workspaceId, url, security } = world
  // Made before anything was protected.
  await db.write((tx) => putProtect(tx, workspaceId, null, 1))
  const token = await makePolicyToken(deps(), mara, { name: 'ci', may: 'write' })
  const from = [security.id, mara.id]
  await db.write((tx) => putProtect(tx, workspaceId, { from, need: 1 }, 1))
  const text = (await exported()).replace('from: [engineers]', 'from: [mara@example.org]')
  const other = text.replace(/from:\n\s+- engineers/, 'from: [mara@example.org]')
  const response = await fetch(`${url}/api/v1/policy/file/apply`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ text: other, because: 'one is enough', commit: 'a1b2c3' }),
  })
  const problem = await response.json()
  expect([response.status, problem.code]).toEqual([409, 'needs_agreement'])
  const place = new URL(problem.question).pathname
  const page = await (await world.get(place, world.cookies.fay)).text()
  expect(page).toContain('one is enough')
  expect(page).toContain('a1b2c3')
  await world.agree(place, 'mara')
  expect((await theRule(world))?.approve?.from).not.toEqual([mara.id])
  await world.agree(place, 'fay')
  expect((await theRule(world))?.approve?.from).toEqual([mara.id])
})

test('a token whose maker is not known proposes nothing', async () => {
  const { db, workspaceId } = world
  const text = (await exported()).replace(/approve:[\s\S]*$/, 'decision: deny\n')
  const by = { name: 'the token ci', maker: null }
  const work = applyFile(deps(), workspaceId, { text, name: 'p.yaml', by })
  const { change } = await work.catch((error) => error)
  const { propose } = await import('../../../src/ask/protect/propose.ts')
  const config = { company: { provider: undefined, local: undefined } } as never
  const refusal = await propose({ ...deps(), config }, change).catch((error) => error)
  expect([refusal.code, await open()]).toEqual(['conflict', 0])
  expect(await listRules(db.read, workspaceId)).toHaveLength(1)
})

test('a file without the part keeps the protection, and one that takes it away is proposed', async () => {
  const { db, workspaceId } = world
  const whole = await exported()
  expect(whole).toContain('protect:')
  const without = whole.replace(/^protect:[\s\S]*?(?=^rules:)/m, '')
  expect(without).not.toContain('protect:')
  const names = async (text: string) =>
    (await compareFile(deps(), workspaceId, { text, name: 'p.yaml' })).differences.length
  expect(await names(without)).toBe(0)
  await applyFile(deps(), workspaceId, { text: without, name: 'p.yaml' })
  expect(await readProtect(db.read, workspaceId)).toBeDefined()
  const none = without.replace(/^rules:/m, 'protect: null\nrules:')
  const refusal = await applyFile(deps(), workspaceId, { text: none, name: 'p.yaml' }).catch(
    (error) => error,
  )
  expect(refusal.code).toBe('needs_agreement')
  expect(await readProtect(db.read, workspaceId)).toBeDefined()
})

test('a provider whose claims would fill a group, and passwords for everybody, are proposed', async () => {
  const provider = {
    ...{ name: 'Mine', issuer: 'https://id.example.org', clientId: 'beckon', clientAuth: 'none' },
    ...{ groupsClaim: 'groups', groups: 'engineers', hours: '12', domains: '', scopes: '' },
  }
  const response = await world.submit('/settings/sign-in/new', provider)
  expect(placeOf(response)).toStartWith('/d/')
  const place = placeOf(response)
  for (const who of ['bob', 'fay']) await world.agree(place, who)
  const list = await (await world.get('/settings/sign-in', world.cookie)).text()
  expect(list).toContain('Mine')
})

test('a directory gets no token, and its token works once people have agreed', async () => {
  const { db, workspaceId, url } = world
  const page = await (await world.submit('/settings/directory', { name: 'Mine' })).text()
  const [token] = /bs_[0-9a-z]+/.exec(page) ?? []
  const [id] = /\/d\/q_[0-9a-z]+/.exec(page) ?? []
  const scim = async () =>
    (await fetch(`${url}/scim/v2/Groups`, { headers: { authorization: `Bearer ${token}` } })).status
  expect([await scim(), await listDirectories(db.read, workspaceId)]).toEqual([401, []])
  for (const who of ['bob', 'fay']) await world.agree(id ?? '', who)
  expect(await scim()).toBe(200)
})

test('a token that applies files is proposed, one that reads is not', async () => {
  const { db, workspaceId } = world
  const form = { name: 'ci', may: 'write' }
  const page = await (await world.submit('/settings/policy/file/tokens', form)).text()
  expect(page).toContain('It works once they have agreed')
  expect(await listPolicyTokens(db.read, workspaceId)).toEqual([])
  await world.submit('/settings/policy/file/tokens', { name: 'reader' })
  expect((await listPolicyTokens(db.read, workspaceId)).map(({ may }) => may)).toEqual(['read'])
})

test('a guard who never signed in gets no second link, which an owner would read', async () => {
  const { mara } = world.people
  if (!mara) throw new Error('nobody owns it')
  const { db, workspaceId, security } = world
  const details = { email: 'gus@example.org', name: 'gus', role: 'member' } as const
  const { person } = await invitePerson(deps(), mara, details)
  const { putGroupMembers } = await import('../../../src/ask/groups/model/store.ts')
  await db.write((tx) => putGroupMembers(tx, { ...security, workspaceId }, 'hand', [person.id]))
  expect((await world.submit(`/settings/people/${person.id}/invite`, {})).status).toBe(409)
})

test('an agent’s token is handed to nobody who would then agree to what it asks', async () => {
  const { db, workspaceId, engineers, id } = world
  const { record } = await createToken(deps(), { name: 'ci', workspaceId, by: id('ana') })
  const path = `/settings/tokens/${record.id}/owner`
  const place = placeOf(await world.submit(path, { owner: id('eve') }))
  expect(place).toStartWith('/d/')
  const ownerNow = async () => ownerOf((await findToken(db.read, record.id)) ?? record)
  expect(await (await world.get(place)).text()).toContain('owner of token ci: from ana to eve')
  const rest = await fetch(`${world.url}/api/v1/keys/${record.id}`, {
    method: 'PATCH',
    headers: { cookie: world.cookie, origin: world.url, 'content-type': 'application/json' },
    body: JSON.stringify({ owner: engineers.id }),
  })
  expect([rest.status, (await rest.json()).code]).toEqual([409, 'needs_agreement'])
  expect(await ownerNow()).toBe(id('ana'))
  for (const who of ['bob', 'fay']) await world.agree(place, who)
  expect(await ownerNow()).toBe(id('eve'))
  const rows = await db.read.select().from(audit)
  const row = rows.find(({ kind }) => kind === 'token.changed')
  expect(row).toMatchObject({ subjectName: 'ci', detail: 'from ana to eve', personId: id('mara') })
})

test('a token is handed over at once where no rule depends on its owner', async () => {
  const { db, workspaceId, id } = world
  const details = { name: 'try', workspaceId, by: id('ana'), test: true }
  const { record } = await createToken(deps(), details)
  const owner = { owner: id('eve') }
  const path = `/settings/tokens/${record.id}/owner`
  expect(placeOf(await world.submit(path, owner))).toBe('/settings/tokens')
  const rule = await theRule(world)
  await db.write((tx) =>
    updateRule(tx, workspaceId, rule?.id ?? 'rule_', {
      approve: { from: [world.engineers.id], asker: 'counts' },
    }),
  )
  const other = await createToken(deps(), { name: 'ci', workspaceId, by: id('ana') })
  const place = await world.submit(`/settings/tokens/${other.record.id}/owner`, owner)
  expect(placeOf(place)).toBe('/settings/tokens')
})

test('removing somebody hands over no token that is guarded, and revokes it all the same', async () => {
  const { db, workspaceId, id } = world
  const { record } = await createToken(deps(), { name: 'ci', workspaceId, by: id('ana') })
  const path = `/settings/people/${id('ana')}/remove`
  const page = await (await world.get(path)).text()
  expect(page).not.toContain('value="hand_over"')
  expect(page).toContain('value="revoke"')
  const handing = { tokens: 'hand_over', handTo: id('eve') }
  const refused = await world.submit(path, handing)
  expect(refused.status).toBe(422)
  expect(await refused.text()).toContain('others have to agree')
  expect((await findToken(db.read, record.id))?.revokedAt).toBeNull()
  expect((await world.submit(path, { tokens: 'revoke' })).status).toBe(303)
  expect((await findToken(db.read, record.id))?.revokedAt).not.toBeNull()
})

test('whoever leaves can always leave, and the page says what then cannot be decided', async () => {
  const path = `/settings/people/${world.id('fay')}/remove`
  const page = await (await world.get(path)).text()
  expect(page).toContain('Too few people are left to agree')
  expect((await world.submit(path, {})).status).toBe(303)
  expect(await member('fay', 'security')).toBe(false)
  // Nobody could agree any more: it is not proposed, and the reason names the way out.
  const rule = await theRule(world)
  const response = await world.submit(`/settings/rules/${rule?.id}/remove`, {})
  expect([response.status, await open()]).toEqual([409, 0])
  expect(await response.text()).toContain('--break-glass')
})

test('an agent stops no proposal, and only whoever proposed it withdraws it', async () => {
  const rule = await theRule(world)
  const place = placeOf(await world.submit(`/settings/rules/${rule?.id}/remove`, {}))
  expect((await world.submit(`${place}/stop`, { stop: 'yes' }, 'eve')).status).toBe(403)
  expect(await open()).toBe(1)
  await world.submit(`${place}/stop`, { stop: 'yes' }, 'mara')
  expect(await open()).toBe(0)
  for (const who of ['bob', 'fay']) await world.agree(place, who)
  expect(await theRule(world)).toEqual(rule)
})

test('breaking the glass changes it at once, is sealed, and is told to all owners', async () => {
  const { db, workspaceId } = world
  const text = (await exported()).replace(/^protect:[\s\S]*?(?=^rules:)/m, 'protect: null\n')
  const guard = breakGlass({ at: clock.now(), because: 'everybody of security has left' })
  await applyFile({ ...deps(), guard }, workspaceId, { text, name: 'p.yaml' })
  expect(await readProtect(db.read, workspaceId)).toBeUndefined()
  const rows = await db.read.select().from(audit)
  const row = rows.find(({ kind }) => kind === 'policy.glass_broken')
  expect(row?.detail).toContain('everybody of security')
  const [notice] = (await db.read.select().from(questions)).filter(
    ({ origin }) => origin === 'policy',
  )
  expect(notice).toMatchObject({ status: 'notified', detail: { context: expect.any(String) } })
  const page = await (await world.get(`/d/${notice?.id}`)).text()
  expect(page).toContain('everybody of security has left')
})
