import { expect, test } from 'bun:test'
import { findPersonByEmail, listPeople } from '../../../src/ask/accounts/model/person-store.ts'
import { listWorkspaces } from '../../../src/ask/accounts/model/workspace-store.ts'
import { addPerson, resetPerson } from '../../../src/ask/people/people.ts'
import { openSetUp, readInvitation, setUp, setUpUrl } from '../../../src/ask/sign-in/set-up.ts'
import { chooseWorkspace } from '../../../src/ask/tokens/agent-tokens.ts'
import { openDataFolder } from '../../../src/platform/db/data-folder.ts'
import { authServer, PASSWORD } from '../../support/auth-server.ts'
import { fakeClock } from '../../support/fake-clock.ts'
import { cookieOf } from '../../support/sign-in.ts'
import { tempFolder } from '../../support/temp-folder.ts'

function world() {
  const folder = tempFolder()
  const db = openDataFolder(folder.path)
  return {
    db,
    clock: fakeClock(),
    async [Symbol.asyncDispose]() {
      await db[Symbol.asyncDispose]()
      folder[Symbol.dispose]()
    },
  }
}

const ADA = { name: 'Ada', email: ' Ada@Example.com', password: PASSWORD as string | undefined }
const SPENT = { code: 'gone' }

async function ownerCode(w: Parameters<typeof openSetUp>[0]): Promise<string> {
  const code = await openSetUp(w)
  if (!code) throw new Error('set-up is closed')
  return code
}

test('the first-run link makes the owner and the workspace Home, once', async () => {
  await using w = world()
  const code = await ownerCode(w)
  expect(setUpUrl('http://localhost:8484', code)).toBe(`http://localhost:8484/setup?key=${code}`)
  expect(await readInvitation(w, code)).toEqual({ kind: 'owner' })
  await setUp(w, { code, ...ADA })
  const [owner, ...others] = await listPeople(w.db.read)
  expect(others).toEqual([])
  expect(owner).toMatchObject({
    name: 'Ada',
    email: 'ada@example.com',
    role: 'owner',
    workspace: 'Home',
  })

  expect(await readInvitation(w, code)).toBeUndefined()
  await expect(setUp(w, { code, ...ADA, email: 'eve@example.com' })).rejects.toMatchObject(SPENT)
  expect(await openSetUp(w)).toBeUndefined()
})

test('the owner joins the workspace that a key was made for before', async () => {
  await using w = world()
  const workspaceId = await chooseWorkspace(w, undefined)
  await setUp(w, { code: await ownerCode(w), ...ADA })
  expect(await findPersonByEmail(w.db.read, 'ada@example.com')).toMatchObject({ workspaceId })
  expect(await listWorkspaces(w.db.read)).toHaveLength(1)
})

test('a start makes a new link, and the earlier one is good no more', async () => {
  await using w = world()
  const earlier = await ownerCode(w)
  const later = await ownerCode(w)
  await expect(setUp(w, { code: earlier, ...ADA })).rejects.toMatchObject(SPENT)
  await setUp(w, { code: later, ...ADA })
})

test('the links of processes that share a database are all good, until one is used', async () => {
  await using w = world()
  const first = await openSetUp(w, { others: true })
  const codes = [first]
  for (let i = 0; i < 7; i++) codes.push(await openSetUp(w, { others: true }))
  for (const code of codes) expect(await readInvitation(w, code ?? '')).toEqual({ kind: 'owner' })
  codes.push(await openSetUp(w, { others: true }))
  expect(await readInvitation(w, first ?? '')).toBeUndefined()
  await setUp(w, { code: codes[3] ?? '', ...ADA })
  for (const code of codes) {
    await expect(setUp(w, { code: code ?? '', ...ADA })).rejects.toMatchObject(SPENT)
  }
})

test('of many who use the link at once, one becomes the owner', async () => {
  await using w = world()
  const code = await ownerCode(w)
  const tries = Array.from({ length: 8 }, (_, i) =>
    setUp(w, { code, name: `P${i}`, email: `p${i}@example.com`, password: undefined }),
  )
  const outcomes = await Promise.allSettled(tries)
  expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1)
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject(SPENT)
  }
  expect(await listPeople(w.db.read)).toHaveLength(1)
})

test('wrong fields are named together, and the link stays good', async () => {
  await using w = world()
  const code = await ownerCode(w)
  const wrong = { code, name: ' ', email: 'ada@localhost', password: 'short' }
  await expect(setUp(w, wrong)).rejects.toMatchObject({
    code: 'invalid_input',
    fields: [{ field: 'name' }, { field: 'email' }, { field: 'password' }],
  })
  await setUp(w, { code, ...ADA })
})

test('a code that nobody made opens nothing', async () => {
  await using w = world()
  await ownerCode(w)
  for (const code of ['', 'x', 'x'.repeat(100_000), "' or 1=1 --", 'invitation:']) {
    expect(await readInvitation(w, code)).toBeUndefined()
    await expect(setUp(w, { code, ...ADA })).rejects.toMatchObject(SPENT)
  }
})

test('the first person added is the owner and closes the first-run link; the next is a member', async () => {
  await using w = world()
  const code = await ownerCode(w)
  const first = await addPerson(w, { email: 'ada@example.com', password: PASSWORD })
  expect(first).toMatchObject({ person: { name: 'ada', role: 'owner' }, code: undefined })
  await expect(setUp(w, { code, ...ADA })).rejects.toMatchObject(SPENT)
  expect(await addPerson(w, { email: 'bob@example.com' })).toMatchObject({
    person: { role: 'member' },
  })
  const again = addPerson(w, { email: 'BOB@example.com' })
  await expect(again).rejects.toMatchObject({ code: 'conflict' })
})

test("an added person's link is good once, and for a day", async () => {
  await using w = world()
  const { code = '' } = await addPerson(w, { email: 'ada@example.com', name: 'Ada' })
  const { code: late = '' } = await addPerson(w, { email: 'bob@example.com' })
  expect(await readInvitation(w, code)).toEqual({
    kind: 'password',
    name: 'Ada',
    email: 'ada@example.com',
    isNew: true,
  })
  await setUp(w, { code, name: '', email: '', password: PASSWORD })
  const again = setUp(w, { code, name: '', email: '', password: PASSWORD })
  await expect(again).rejects.toMatchObject(SPENT)

  await w.clock.advance(24 * 60 * 60 * 1_000)
  expect(await readInvitation(w, late)).toBeUndefined()
  await expect(setUp(w, { code: late, ...ADA })).rejects.toMatchObject(SPENT)
})

test('set-up over HTTP signs the owner in, with and without a password', async () => {
  for (const password of [PASSWORD, undefined]) {
    await using server = await authServer()
    const code = await ownerCode(server)
    const request = new Request(`${server.url}/setup`, { method: 'POST' })
    const headers = await server.authentication.setUp(request, { code, ...ADA, password })
    expect(await server.who(cookieOf(headers))).toMatchObject({ name: 'Ada', role: 'owner' })
  }
})

test('after a reset the link gives a new password, and what was before is over', async () => {
  await using server = await authServer()
  await server.addOwner()
  const ada = { email: 'ada@example.com', password: PASSWORD }
  const request = new Request(server.url, { method: 'POST' })
  const before = cookieOf(await server.authentication.signIn(request, ada))
  const { code: first = '' } = await resetPerson(server, { email: ada.email })
  const { code = '' } = await resetPerson(server, { email: ada.email })
  expect(await server.who(before)).not.toBeNull()
  expect(await readInvitation(server, first)).toBeUndefined()

  const form = { code, name: '', email: '', password: 'a new battery' }
  const after = cookieOf(await server.authentication.setUp(request, form))
  expect(await server.who(before)).toBeNull()
  expect(await server.who(after)).toMatchObject({ name: 'Ada' })
  const old = server.authentication.signIn(request, ada)
  await expect(old).rejects.toMatchObject({ code: 'unauthenticated' })
  await server.authentication.signIn(request, { ...ada, password: 'a new battery' })
})

test('only somebody who is there can be reset', async () => {
  await using w = world()
  const reset = resetPerson(w, { email: 'eve@example.com' })
  await expect(reset).rejects.toMatchObject({ code: 'not_found' })
})
