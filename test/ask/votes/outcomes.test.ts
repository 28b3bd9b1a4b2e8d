import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { Person } from '../../../src/ask/accounts/model/person.ts'
import { audit } from '../../../src/ask/audit/model/table.ts'
import type { Group } from '../../../src/ask/groups/model/group.ts'
import {
  deleteGroup,
  insertGroup,
  putGroupMembers,
  putGroupName,
} from '../../../src/ask/groups/model/store.ts'
import { approverChecks } from '../../../src/ask/health/approver-check.ts'
import { addRule, changeRule, removeRule } from '../../../src/ask/policy/change-policy.ts'
import { expireQuestions } from '../../../src/ask/questions/end-question.ts'
import { findQuestion } from '../../../src/ask/questions/model/store.ts'
import { lateAnswers } from '../../../src/ask/questions/model/table.ts'
import { createToken } from '../../../src/ask/tokens/agent-tokens.ts'
import { listVotes } from '../../../src/ask/votes/model/store.ts'
import type { QuestionId } from '../../../src/ask/wire/ids.ts'
import { systemClock } from '../../../src/platform/clock.ts'
import { newId } from '../../../src/platform/ids.ts'
import { type PageWorld, pageWorld } from '../../support/page-world.ts'
import { addPersonWithPassword, signInAs } from '../../support/sign-in.ts'

type Name = 'ana' | 'bob' | 'fay' | 'cleo'
const MINUTE_MS = 60_000
const HASH = 'a'.repeat(64)

/** The server's clock, which a test sets: to an instant, or ahead. */
const time = { ahead: 0, at: undefined as number | undefined }
const clock = { ...systemClock, now: () => time.at ?? Date.now() + time.ahead }

let world: PageWorld
const people = {} as Record<Name, Person>
const cookies = {} as Record<Name, string>
let engineers: Group
let managers: Group
let ruleId: `rule_${string}`
/** Of Ana's agent. */
let token: string

beforeEach(async () => {
  Object.assign(time, { ahead: 0, at: undefined })
  world = await pageWorld({ clock })
  const { db, workspaceId, app } = world
  for (const name of ['ana', 'bob', 'fay', 'cleo'] as const) {
    const who = { email: `${name}@example.org`, name, role: 'member' } as const
    people[name] = await addPersonWithPassword({ db, clock }, who)
    cookies[name] = await signInAs(app, people[name].id)
  }
  const group = (name: string): Group => ({
    ...{ id: newId('group', clock.now()), workspaceId, name, source: 'hand' },
    ...{ externalId: undefined, createdAt: 1 },
  })
  ;[engineers, managers] = [group('engineers'), group('managers')]
  await db.write(async (tx) => {
    for (const one of [engineers, managers]) await insertGroup(tx, one)
  })
  await fill(engineers, 'ana', 'bob', 'fay')
  await fill(managers, 'cleo')
  const by = people.ana.id
  token = (await createToken({ db, clock }, { workspaceId, name: 'agent', by })).token
  const approve = { from: [engineers.id], need: 2 }
  ruleId = (await addRule({ db, clock }, workspaceId, { match: { toolName: 'Bash' }, approve })).id
})
afterEach(() => world[Symbol.asyncDispose]())

const fill = (group: Group, ...names: Name[]) =>
  world.db.write((tx) =>
    putGroupMembers(
      tx,
      group,
      'hand',
      names.map((name) => people[name].id),
    ),
  )

type Reply = {
  code: number
  correlationId: QuestionId
  status: unknown
  hint: string
  permitId: string
  question: { correlationId: QuestionId; status: string; value?: string }
  onTimeout: { decision: string; reason: string }
}
async function call(path: string, body?: object): Promise<Reply> {
  const response = await fetch(`${world.url}/api/v1${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { ...((await response.json()) as Reply), code: response.status }
}
const ask = async (more: object = {}) =>
  (await call('/questions', { question: 'Apply?', toolName: 'Bash', wait: false, ...more }))
    .correlationId
/** A command that its hook asks about; each try has an id of its own. */
let tries = 0
const run = (command = 'terraform apply') =>
  call('/hooks/claude-code', {
    ...{ event: 'approval', sessionId: 's1', machineId: 'm1', cwd: '/home/ana/shop' },
    ask: {
      ...{ question: `Run ${command}?`, action: command, toolName: 'Bash' },
      ...{ toolTarget: command, actionHash: HASH, toolUseId: `try-${++tries}` },
      ...{ exact: { argumentsHash: 'b'.repeat(64), arguments: 'command' }, wait: false },
    },
  })
const permit = (id: string) => call(`/questions/${id}/permit`, { actionHash: HASH })
const use = (permitId: string) => call(`/permits/${permitId}/consume`, { actionHash: HASH })

async function vote(id: QuestionId, who: Name, value = 'yes') {
  const response = await fetch(`${world.url}/api/v1/questions/${id}/answer`, {
    method: 'POST',
    headers: { origin: world.url, cookie: cookies[who], 'content-type': 'application/json' },
    body: JSON.stringify({ value }),
  })
  const { status } = (await response.json()) as { status?: unknown }
  return `${response.status} ${status}`
}
const read = async (id: QuestionId) => {
  const question = await findQuestion(world.db.read, world.workspaceId, id)
  if (!question) throw new Error('there is no such question')
  return question
}
const votes = async (id: QuestionId) =>
  (await listVotes(world.db.read, id)).map(({ name, value }) => `${name} ${value}`).sort()
const late = async () => (await world.db.read.select().from(lateAnswers)).map(({ value }) => value)
const trail = async (id: QuestionId) =>
  (await world.db.read.select().from(audit))
    .filter(({ subjectId }) => subjectId === id)
    .map(({ kind, personName }) => `${kind} ${personName ?? ''}`.trim())
const sweep = () => expireQuestions({ db: world.db, clock, onEnded: [] })

test('a vote counts a millisecond before the end, and is late at the end', async () => {
  const [inTime, over] = [await ask(), await ask({ question: 'And this?' })]
  for (const id of [inTime, over]) await vote(id, 'bob')
  time.at = (await read(inTime)).expiresAt - 1
  expect(await vote(inTime, 'fay')).toBe('200 answered')
  time.at = (await read(over)).expiresAt
  expect(await vote(over, 'fay')).not.toContain('answered')
  expect(await read(over)).toMatchObject({ status: 'expired', value: undefined })
  expect([await votes(over), await late()]).toEqual([['bob yes'], ['yes']])
})

test('what was over stays so when the clock is set back, by whatever it was noticed', async () => {
  const ids = [await ask(), await ask({ question: 'B?' }), await ask({ question: 'C?' })]
  for (const id of ids) await vote(id, 'bob')
  const [byVote, byLook, bySweep] = ids as [QuestionId, QuestionId, QuestionId]
  time.at = (await read(bySweep)).expiresAt + 1
  await vote(byVote, 'fay')
  await call(`/questions/${byLook}?timeoutMs=1000`)
  await sweep()
  time.at -= 60 * MINUTE_MS
  for (const id of ids) {
    await vote(id, 'fay')
    expect([(await read(id)).status, await votes(id)]).toEqual(['expired', ['bob yes']])
  }
})

test('an agent that withdraws between two votes ends it, and the votes stay', async () => {
  const id = await ask()
  await vote(id, 'bob')
  expect((await call(`/questions/${id}/cancel`, {})).code).toBe(200)
  await vote(id, 'fay')
  const { status } = await read(id)
  expect({ status, votes: await votes(id), late: await late() }).toEqual({
    ...{ status: 'cancelled', votes: ['bob yes'], late: ['yes'] },
  })
  expect(await trail(id)).toContain('vote.given bob')
  expect(await trail(id)).not.toContain('vote.given fay')
})

test('a rule that is changed while a question is open does not reach it', async () => {
  const before = await ask()
  await vote(before, 'bob')
  const { db, workspaceId } = world
  const approve = { from: [managers.id], need: 1 }
  await changeRule({ db, clock }, workspaceId, ruleId, { approve })
  expect(await vote(before, 'cleo')).toStartWith('403')
  expect(await vote(before, 'fay')).toBe('200 answered')
  const after = await ask({ question: 'And now?' })
  expect(await vote(after, 'fay')).toStartWith('403')
  expect(await vote(after, 'cleo')).toBe('200 answered')
})

test('a group that is renamed counts; one that is emptied or deleted counts for nobody, and Health says so', async () => {
  const { db, workspaceId } = world
  const id = await ask()
  await vote(id, 'bob')
  await db.write((tx) => putGroupName(tx, engineers, 'builders'))
  expect(await vote(id, 'fay')).toBe('200 answered')
  const states = async () => (await approverChecks(db.read, [workspaceId])).map((one) => one.state)
  for (const take of [
    () => fill(engineers),
    () => db.write((tx) => deleteGroup(tx, workspaceId, engineers.id)),
  ]) {
    await fill(engineers, 'ana', 'bob', 'fay')
    expect(await states()).toEqual(['ok'])
    const other = await ask({ question: `Apply ${clock.now()}?` })
    await vote(other, 'bob')
    await take()
    expect(await vote(other, 'fay')).toStartWith('403')
    expect([(await read(other)).status, await states()]).toEqual(['pending', ['warn']])
    const page = await (await world.get(`/d/${other}`, cookies.fay)).text()
    expect(page).toContain('nobody is left')
  }
})

async function approved(): Promise<QuestionId> {
  const { correlationId: id } = (await run()).question
  for (const who of ['bob', 'fay'] as const) await vote(id, who)
  return id
}

test('a yes is used by the same command within its time, and later it is asked again', async () => {
  const id = await approved()
  time.ahead = 14 * MINUTE_MS
  expect((await run()).question).toMatchObject({ correlationId: id, value: 'yes' })
  time.ahead = 16 * MINUTE_MS
  const later = await run()
  expect(later.question.correlationId).not.toBe(id)
  expect(later.question.status).toBe('pending')
  expect((await permit(id)).code).toBe(409)
  // Whoever waits for the first question is not told to use what cannot be used.
  const { hint } = await call(`/questions/${id}?timeoutMs=1000`)
  expect(hint).not.toContain('Use it within')
  expect(hint).toContain('Ask again')
})

test('what somebody allowed for the session is asked all the same once a rule says who decides', async () => {
  const { db, workspaceId } = world
  const deps = { db, clock }
  await removeRule(deps, workspaceId, ruleId, people.cleo.id)
  const { correlationId: id } = (await run('npm test')).question
  const granted = await fetch(`${world.url}/api/v1/questions/${id}/answer`, {
    method: 'POST',
    headers: { origin: world.url, cookie: cookies.cleo, 'content-type': 'application/json' },
    body: JSON.stringify({ value: 'yes', grant: 'session' }),
  })
  expect(granted.status).toBe(200)
  expect(await run('npm test')).toMatchObject({ decision: 'allow' })
  const approve = { from: [engineers.id], need: 2 }
  await addRule(deps, workspaceId, { match: { toolName: 'Bash' }, approve })
  const later = await run('npm test')
  expect(later.question.status).toBe('pending')
  expect(later).not.toHaveProperty('decision')
})

test('of two retries at once one uses the yes', async () => {
  const id = await approved()
  const both = await Promise.all([run(), run()])
  expect(both.map(({ question }) => question.correlationId)).toEqual([id, id])
  const permits = await Promise.all(both.map(() => permit(id)))
  const uses = await Promise.all(permits.map(({ permitId }) => use(permitId)))
  expect(uses.map(({ code }) => code).sort()).toEqual([200, 409])
  expect((await run()).question.correlationId).not.toBe(id)
})

test('after somebody who agreed was removed, the retry is asked again and says why', async () => {
  const id = await approved()
  const path = `/settings/people/${people.bob.id}/remove`
  await fill(engineers, 'ana', 'bob', 'fay', 'cleo')
  expect((await world.post(path, { tokens: 'revoke' })).status).toBe(303)
  expect((await permit(id)).code).toBe(409)
  const again = await run()
  expect(again.question.correlationId).not.toBe(id)
  expect(again.question.status).toBe('pending')
  expect(again.onTimeout).toMatchObject({ decision: 'deny' })
  expect(again.onTimeout.reason).toContain('bob')
  // Once is enough: from now on it is an open question like any other.
  expect((await run()).onTimeout.reason).toStartWith('It waits')
})
