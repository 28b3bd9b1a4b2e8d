import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Agent } from '../../../src/ask/accounts/model/agent.ts'
import { type Agents, createAgents } from '../../../src/ask/accounts/model/agents.ts'
import type { PersonId } from '../../../src/ask/accounts/model/ids.ts'
import type { Role } from '../../../src/ask/accounts/model/person.ts'
import { insertPerson } from '../../../src/ask/accounts/model/person-store.ts'
import { findToken, listTokens } from '../../../src/ask/accounts/model/token-store.ts'
import {
  chooseWorkspace,
  countTokens,
  createToken,
  readTokenPage,
  readTokens,
  revokeToken,
} from '../../../src/ask/tokens/agent-tokens.ts'
import { openSqlite } from '../../../src/platform/db/sqlite.ts'
import { fakeClock, settle } from '../../support/fake-clock.ts'
import { tempFolder } from '../../support/temp-folder.ts'

async function world() {
  const folder = tempFolder()
  const path = join(folder.path, 'beckon.db')
  const db = openSqlite(path)
  const clock = fakeClock()
  const deps = { db, clock }
  const agents = createAgents(deps)
  return {
    ...deps,
    agents,
    path,
    workspaceId: await chooseWorkspace(deps, undefined),
    async [Symbol.asyncDispose]() {
      agents[Symbol.dispose]()
      await db[Symbol.asyncDispose]()
      folder[Symbol.dispose]()
    },
  }
}

async function findAgent(agents: Agents, token: string): Promise<Agent> {
  const agent = await agents.find(token)
  if (typeof agent === 'string') throw new Error(agent)
  return agent
}

test('a token speaks for its workspace, is kept only as a hash, and a test token says so', async () => {
  await using w = await world()
  const real = await createToken(w, { workspaceId: w.workspaceId, name: ' lap\u202etop\n' })
  const trial = await createToken(w, { workspaceId: w.workspaceId, name: 'trial', test: true })
  expect(real.token).toMatch(/^bk_[0-9a-z]{40}$/)
  expect(real.token).toEndWith(real.record.tail)
  expect(await w.agents.find(real.token)).toEqual({
    tokenId: real.record.id,
    tokenName: 'laptop',
    workspaceId: w.workspaceId,
    test: false,
  })
  expect(await w.agents.find(trial.token)).toMatchObject({ test: true })
  const listed = await listTokens(w.db.read, w.workspaceId)
  expect(new Set(listed.map((t) => t.id))).toEqual(new Set([real.record.id, trial.record.id]))
  expect(JSON.stringify(listed)).not.toContain('hash')

  using file = new Database(w.path, { readonly: true })
  const rows = JSON.stringify(file.query('select * from agent_tokens').all())
  expect(rows).not.toContain(real.token)
})

test('an owner sees every live token, a member those of their own', async () => {
  await using w = await world()
  const { workspaceId } = w
  await w.db.write(async (tx) => {
    for (const id of ['bo', 'ann']) {
      const person = {
        id,
        name: id,
        email: `${id}@example.org`,
        workspaceId,
        role: 'member',
      } as const
      await insertPerson(tx, person, 0)
    }
  })
  const make = (name: string, by?: PersonId) =>
    createToken(w, { workspaceId, name, ...(by === undefined ? {} : { by }) })
  await make('of nobody')
  await make('of bo', 'bo')
  await make('of ann', 'ann')
  const { record } = await make('over', 'bo')
  await revokeToken(w, { id: record.id })
  const seen = async (id: PersonId, role: Role) => {
    const person = { id, workspaceId, role, name: id, email: `${id}@example.org` }
    const page = await readTokenPage(w, person, { offset: 0, limit: 9 })
    const live = (await readTokens(w, person)).filter(({ revokedAt }) => revokedAt === null)
    expect(page).toEqual(live)
    expect(await countTokens(w, person)).toBe(page.length)
    return page.map(({ name }) => name).sort()
  }
  expect(await seen('bo', 'member')).toEqual(['of bo'])
  expect(await seen('eve', 'member')).toEqual([])
  expect(await seen('eve', 'owner')).toEqual(['of ann', 'of bo', 'of nobody'])
})

test('what is not a token, and a token nobody made, are wrong', async () => {
  await using w = await world()
  const { token } = await createToken(w, { workspaceId: w.workspaceId, name: 'a' })
  const wrong = ['', 'bk_', token.slice(0, -1), `${token}x`, token.toUpperCase(), `${token}'--`]
  for (const text of [...wrong, `bk_${'x'.repeat(1_000_000)}`, `bk_${'0'.repeat(40)}`]) {
    expect(await w.agents.find(text)).toBe('wrong')
  }
})

test('a revocation here takes effect at once, also while the token is being read', async () => {
  await using w = await world()
  const { token, record } = await createToken(w, { workspaceId: w.workspaceId, name: 'a' })
  await findAgent(w.agents, token)
  const during = w.agents.find(token)
  await revokeToken(w, { id: record.id })
  await during
  expect(await w.agents.find(token)).toBe('revoked')
  const again = await revokeToken(w, { id: record.id })
  expect(again.revokedAt).toBe(w.clock.now())
})

test('a revocation by another process takes effect within a second', async () => {
  await using w = await world()
  const { token } = await createToken(w, { workspaceId: w.workspaceId, name: 'a' })
  await findAgent(w.agents, token)
  using other = new Database(w.path)
  other.run('update agent_tokens set revoked_at = 1')
  await w.clock.advance(1_000)
  expect(await w.agents.find(token)).toBe('revoked')
})

test('a token of another workspace, and one that never was, cannot be revoked', async () => {
  await using w = await world()
  const { token, record } = await createToken(w, { workspaceId: w.workspaceId, name: 'a' })
  const refused = { code: 'not_found' }
  const person = {
    id: 'eve',
    name: 'Eve',
    email: 'e@x.org',
    workspaceId: 'ws_x',
    role: 'owner',
  } as const
  await expect(revokeToken(w, { id: record.id, person })).rejects.toMatchObject(refused)
  await expect(revokeToken(w, { id: 'key_none' })).rejects.toMatchObject(refused)
  await findAgent(w.agents, token)
})

test('the last use is remembered at most once a minute, with where it came from', async () => {
  await using w = await world()
  const { token, record } = await createToken(w, { workspaceId: w.workspaceId, name: 'a' })
  const agent = await findAgent(w.agents, token)
  const lastUse = async () => {
    await settle()
    return await findToken(w.db.read, record.id)
  }
  const first = w.clock.now()
  w.agents.used(agent, () => ({ address: '10.0.0.1', client: `cli\u0000ent ${'x'.repeat(200)}` }))
  expect(await lastUse()).toMatchObject({
    lastUsedAt: first,
    lastUsedFrom: '10.0.0.1',
    lastUsedClient: `client ${'x'.repeat(93)}`,
  })
  await w.clock.advance(59_999)
  w.agents.used(agent, () => ({ address: '10.0.0.2', client: undefined }))
  expect(await lastUse()).toMatchObject({ lastUsedAt: first, lastUsedFrom: '10.0.0.1' })
  await w.clock.advance(1)
  w.agents.used(agent, () => ({ address: '10.0.0.3', client: undefined }))
  expect(await lastUse()).toMatchObject({
    lastUsedAt: first + 60_000,
    lastUsedFrom: '10.0.0.3',
    lastUsedClient: null,
  })
})

test('a name that is empty or too long is refused', async () => {
  await using w = await world()
  for (const name of ['', ' \n', 'x'.repeat(101)]) {
    const creation = createToken(w, { workspaceId: w.workspaceId, name })
    await expect(creation).rejects.toMatchObject({
      code: 'invalid_input',
      fields: [{ field: 'name' }],
    })
  }
  await createToken(w, { workspaceId: w.workspaceId, name: '😀'.repeat(100) })
})
