import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { Person } from '../../../src/ask/accounts/model/person.ts'
import { whyNoVote } from '../../../src/ask/answering/why-no-vote.ts'
import { audit } from '../../../src/ask/audit/model/table.ts'
import { insertGroup, putGroupMembers } from '../../../src/ask/groups/model/store.ts'
import { approverChecks } from '../../../src/ask/health/approver-check.ts'
import { addRule } from '../../../src/ask/policy/change-policy.ts'
import type { RuleApprove } from '../../../src/ask/policy/model/rule-approve.ts'
import type { RuleMatch } from '../../../src/ask/policy/model/rule-match.ts'
import { createToken } from '../../../src/ask/tokens/agent-tokens.ts'
import type { Requirement, VotePlace } from '../../../src/ask/votes/model/requirement.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import { newId } from '../../../src/platform/ids.ts'
import { type PageWorld, pageWorld } from '../../support/page-world.ts'
import { addPersonWithPassword, signInAs } from '../../support/sign-in.ts'

type Name = 'ana' | 'bob' | 'fay'

let world: PageWorld
const people = {} as Record<Name, Person>
const groupId = newId('group', 1)
let token: string
beforeEach(async () => {
  world = await pageWorld()
  const { db, workspaceId } = world
  for (const name of ['ana', 'bob', 'fay'] as const) {
    const who = { email: `${name}@example.org`, name, role: 'member' } as const
    people[name] = await addPersonWithPassword({ db, clock }, who)
  }
  const group = { id: groupId, workspaceId, name: 'engineers', source: 'hand' } as const
  await db.write(async (tx) => {
    await insertGroup(tx, { ...group, externalId: undefined, createdAt: 1 })
    await putGroupMembers(
      tx,
      group,
      'hand',
      Object.values(people).map(({ id }) => id),
    )
  })
  const by = people.ana.id
  token = (await createToken({ db, clock }, { workspaceId, name: 'agent', by })).token
})
afterEach(() => world[Symbol.asyncDispose]())

const rule = (approve: Partial<RuleApprove> = {}, match: RuleMatch = { toolName: 'Bash' }) =>
  addRule({ db: world.db, clock }, world.workspaceId, {
    match,
    approve: { from: [groupId], ...approve },
  })

async function json(path: string, cookie: string, init: RequestInit = {}) {
  const headers = { cookie, origin: world.url, 'content-type': 'application/json' }
  const response = await fetch(`${world.url}/api/v1${path}`, { ...init, headers })
  return { code: response.status, body: (await response.json()) as Record<string, unknown> }
}

async function ask(more: object = {}) {
  const body = { question: 'Apply?', toolName: 'Bash', toolTarget: 'terraform apply', ...more }
  const response = await fetch(`${world.url}/api/v1/questions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...body, sessionId: 's1', wait: false }),
  })
  return ((await response.json()) as { correlationId: string }).correlationId
}
const vote = async (id: string, name: Name, value: string) =>
  json(`/questions/${id}/answer`, await signInAs(world.app, people[name].id), {
    method: 'POST',
    body: JSON.stringify({ value }),
  })

test('a signed-in person reads who has to agree, who has, and whether they may', async () => {
  await rule({ need: 2 })
  const id = await ask()
  expect((await vote(id, 'bob', 'yes')).code).toBe(200)
  const read = async (name: Name) =>
    (await json(`/questions/${id}/approval`, await signInAs(world.app, people[name].id))).body
  expect(await read('fay')).toMatchObject({
    ...{ need: 2, have: 1, missing: [{ from: ['engineers'], need: 1 }] },
    votes: [{ person: 'bob', value: 'yes', proof: 'session' }],
  })
  expect((await read('fay')).whyNoYes).toBeUndefined()
  expect((await read('ana')).whyNoYes).toMatchObject({ code: 'is_asker' })
  const plain = await ask({ toolName: 'Edit', toolTarget: 'a.ts' })
  expect((await json(`/questions/${plain}/approval`, world.cookie)).code).toBe(404)
})

test('whose yes fills no place is told how many have agreed, and the approval which votes count', async () => {
  await rule({ and: [{ from: [people.ana.id] }], asker: 'counts' })
  const id = await ask()
  expect((await vote(id, 'bob', 'yes')).body).toMatchObject({ need: 2, have: 1 })
  expect((await vote(id, 'fay', 'yes')).body).toMatchObject({ need: 2, have: 1 })
  const cookie = await signInAs(world.app, people.ana.id)
  expect((await json(`/questions/${id}/approval`, cookie)).body.votes).toMatchObject([
    { person: 'bob', counts: true },
    { person: 'fay', counts: false },
  ])
  const { need, status } = (await vote(id, 'ana', 'yes')).body
  expect([need, status]).toEqual([undefined, 'answered'])
})

test('a rule is not for what it excepts, and the others still are', async () => {
  await rule({ except: [{ toolTarget: 'terraform apply -target=dev*' }] })
  const dev = await ask({ toolTarget: 'terraform apply -target=dev.a' })
  expect((await vote(dev, 'ana', 'yes')).code).toBe(200)
  const prod = await ask()
  expect((await vote(prod, 'ana', 'yes')).code).toBe(403)
  await rule({}, {})
  const both = await ask({ toolTarget: 'terraform apply -target=dev.b' })
  expect((await vote(both, 'ana', 'yes')).code).toBe(403)
})

test('an exception for an owner holds only where the owner is known', async () => {
  await rule({ except: [{ owner: people.ana.id }] })
  expect((await vote(await ask(), 'ana', 'yes')).code).toBe(200)
  await rule({ asker: 'counts', except: [{ owner: people.bob.id }] })
  expect((await vote(await ask({ toolTarget: 'x' }), 'fay', 'yes')).code).toBe(200)
  expect(rule({ except: [{}] })).rejects.toMatchObject({ code: 'invalid_input' })
  expect(rule({ except: [{ owner: 'group_none' }] })).rejects.toMatchObject({
    code: 'invalid_input',
  })
})

test('a yes is given only where the rules allow it; a no everywhere', () => {
  const bob = { id: 'bob', name: 'Bob', groups: new Set<string>() }
  const requirement = (where?: VotePlace[]): Requirement => ({
    ...{ rules: [], places: [{ from: [{ id: 'bob', name: 'Bob' }], need: 1 }], excluded: [] },
    ...{ veto: 'any', usableMs: 1, ...(where && { where }) },
  })
  const why = (where: VotePlace[] | undefined, place: VotePlace, isNo = false) =>
    whyNoVote(requirement(where), { voter: bob, isNo, isProven: true, place })
  for (const [where, place, counts] of [
    [undefined, 'page', true],
    [undefined, 'chat', true],
    [['page'], 'page', true],
    [['page'], 'chat', false],
    [['chat'], 'page', false],
    [['chat'], 'chat', true],
  ] as const) {
    expect([where, place, why(where && [...where], place) === undefined]).toEqual([
      where,
      place,
      counts,
    ])
    expect(why(where && [...where], place, true)).toBeUndefined()
  }
})

test('the vote of somebody who is removed counts no more, and the trail says so', async () => {
  await rule({ need: 2 })
  const id = await ask()
  await vote(id, 'bob', 'yes')
  const removed = await world.post(
    `/settings/people/${people.bob.id}/remove`,
    { confirm: 'yes' },
    { cookie: world.cookie },
  )
  expect(removed.status).toBe(303)
  const rows = (await world.db.read.select().from(audit)).filter(({ kind }) => kind === 'vote.void')
  expect(rows).toMatchObject([{ subjectId: id, personName: 'bob', detail: 'yes' }])
  const { body } = await json(`/questions/${id}/approval`, world.cookie)
  expect(body).toMatchObject({ have: 0, votes: [{ person: 'bob' }] })
})

test('Health names the rules that too few people can satisfy', async () => {
  const check = async () => approverChecks(world.db.read, [world.workspaceId])
  expect(await check()).toEqual([])
  await rule({ need: 2 })
  expect((await check()).map(({ state }) => state)).toEqual(['ok'])
  await rule({ need: 3 })
  expect((await check()).map(({ state }) => state)).toEqual(['warn'])
})

test('a rule for a command is for a line in which it stands, an exception for a line alone', async () => {
  await rule(
    { except: [{ toolTarget: 'terraform apply -dry*' }] },
    { toolName: 'Bash', toolTarget: 'terraform apply*' },
  )
  const owner = { cookie: world.cookie, origin: world.url }
  const needs = async (toolTarget: string) => {
    const id = await ask({ toolTarget, question: `Apply ${toolTarget}?` })
    const url = `${world.url}/api/v1/questions/${id}/approval`
    return (await fetch(url, { headers: owner })).status === 200
  }
  expect(await needs('cd infra && terraform apply')).toBe(true)
  expect(await needs('sudo terraform -chdir=x apply')).toBe(true)
  expect(await needs('echo terraform apply')).toBe(false)
  expect(await needs('terraform apply -dry')).toBe(false)
  expect(await needs('terraform apply -dry && terraform apply')).toBe(true)
})
