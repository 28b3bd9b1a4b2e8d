import { afterAll, beforeAll, expect, test } from 'bun:test'
import { findPersonByEmail } from '../../../src/ask/accounts/model/person-store.ts'
import { audit } from '../../../src/ask/audit/model/table.ts'
import type { GroupId } from '../../../src/ask/groups/model/group.ts'
import { listGroupMembers, listGroups } from '../../../src/ask/groups/model/store.ts'
import { insertRule, putProtect } from '../../../src/ask/policy/model/store.ts'
import { listProposals } from '../../../src/ask/protect/model/store.ts'
import { newId } from '../../../src/platform/ids.ts'
import { type CompanyWorld, companyWorld } from '../../support/company-world.ts'
import { connectDirectory } from '../../support/directory-world.ts'

// A provider and a directory, both called Acme, fill the groups that decide and that guard. That is
// theirs to say: nothing is proposed, and people see who came.
let world: CompanyWorld
let directory: Awaited<ReturnType<typeof connectDirectory>>
beforeAll(async () => {
  world = await companyWorld({
    ...{ BECKON_OIDC_DOMAINS: 'example.com', BECKON_OIDC_JOIN: 'on' },
    ...{ BECKON_OIDC_GROUPS_CLAIM: 'groups', BECKON_OIDC_GROUPS: 'engineers' },
  })
  directory = await connectDirectory(world)
})
afterAll(() => world[Symbol.asyncDispose]())

async function signIn(name: string, groups: string[]): Promise<string> {
  const claims = { sub: name, email: `${name}@example.com`, email_verified: true, name, groups }
  world.provider.knobs = { idToken: claims, userInfo: null }
  await world.signIn()
  return (await findPersonByEmail(world.db.read, `${name}@example.com`))?.id ?? ''
}

async function addUser(name: string): Promise<string> {
  const user = { userName: name, displayName: name, emails: [{ value: `${name}@acme.example` }] }
  const { j } = await directory.call('POST', '/Users', user)
  return (j as { id: string }).id
}

const groupNamed = async (name: string) =>
  (await listGroups(world.db.read, world.workspaceId)).find((one) => one.name === name)
const peopleIn = async (id: GroupId | undefined) =>
  (await listGroupMembers(world.db.read, world.workspaceId)).filter((one) => one.groupId === id)
const changes = async (name: string) =>
  (await world.db.read.select().from(audit))
    .filter(({ kind, subjectName }) => kind === 'group.changed' && subjectName === name)
    .map(({ detail }) => detail)

test('claims of a provider and a directory fill groups that decide; it is seen, and not proposed', async () => {
  const { db, workspaceId } = world
  await signIn('ana', ['engineers'])
  const members = [{ value: await addUser('fay') }]
  const reply = await directory.call('POST', '/Groups', { displayName: 'security', members })
  expect(reply.s).toBe(201)
  const [engineers, security] = [await groupNamed('engineers'), await groupNamed('security')]
  if (!(engineers && security)) throw new Error('there are no groups')
  await db.write(async (tx) => {
    await insertRule(tx, {
      ...{ id: newId('rule', 1), workspaceId, match: { toolName: 'Bash' }, set: {} },
      ...{ decision: undefined, approve: { from: [engineers.id] }, createdAt: 1 },
    })
    await putProtect(tx, workspaceId, { from: [security.id], need: 1 }, 1)
    tx.emit('policy', workspaceId)
  })

  const eve = await signIn('eve', ['engineers'])
  expect((await peopleIn(engineers.id)).map(({ personId }) => `${personId}`)).toContain(eve)
  const [path, value] = [`/Groups/${security.id}`, [{ value: await addUser('gus') }]]
  const adding = { Operations: [{ op: 'add', path: 'members', value }] }
  expect((await directory.call('PATCH', path, adding)).s).toBeLessThan(300)
  expect(await peopleIn(security.id)).toHaveLength(2)
  expect(await listProposals(db.read, workspaceId)).toEqual([])

  // Who came is in the trail, with who says so; and who leaves.
  expect(await changes('engineers')).toEqual(['ana added, by Acme', 'eve added, by Acme'])
  expect(await changes('security')).toEqual([
    'added; fay added, by directory Acme',
    'gus added, by directory Acme',
  ])
  await signIn('eve', [])
  expect((await changes('engineers')).at(-1)).toBe('eve removed, by Acme')
  await signIn('eve', [])
  expect(await changes('engineers')).toHaveLength(3)

  // The page of the guards says whose groups these are, and no page here changes them.
  const page = await (await world.get('/settings/protect')).text()
  expect(page).toMatch(/engineers, security|security, engineers/)
  const group = await (await world.get(`/settings/groups/${security.id}`)).text()
  expect(group).not.toContain(`action="/settings/groups/${security.id}"`)
  const remove = await world.post(`/settings/groups/${security.id}/remove`, {})
  expect(remove.status).toBe(409)
})
