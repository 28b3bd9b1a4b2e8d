import { afterAll, beforeAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Person } from '../../../src/ask/accounts/model/person.ts'
import { insertPerson } from '../../../src/ask/accounts/model/person-store.ts'
import { workspaces } from '../../../src/ask/accounts/model/table.ts'
import { answerQuestion } from '../../../src/ask/answering/answer-question.ts'
import { cancelQuestion } from '../../../src/ask/answering/cancel-question.ts'
import { stopAgent } from '../../../src/ask/answering/stop-agent.ts'
import { askUser } from '../../../src/ask/asking/ask-user.ts'
import { AUDIT_KINDS, auditStamp } from '../../../src/ask/audit/model/audit.ts'
import {
  type AuditEntry,
  type AuditFilter,
  NO_FILTER,
} from '../../../src/ask/audit/model/audit-entry.ts'
import { recordChange } from '../../../src/ask/audit/model/store.ts'
import { forgetDevice } from '../../../src/ask/devices/devices.ts'
import { sendNotification } from '../../../src/ask/notifications/send-notification.ts'
import { expireQuestions } from '../../../src/ask/questions/end-question.ts'
import { createToken, revokeToken } from '../../../src/ask/tokens/agent-tokens.ts'
import { exportAudit, readAudit } from '../../../src/ask/trail/read-audit.ts'
import type { QuestionId } from '../../../src/ask/wire/ids.ts'
import { type FlowWorld, flowWorld } from '../../support/flow-world.ts'
import { howOften } from '../../support/share.ts'

const MINUTE = 60_000

let world: FlowWorld
let ann: Person
let everything: AuditEntry[]

async function all(filter: AuditFilter = NO_FILTER): Promise<AuditEntry[]> {
  return Array.fromAsync(exportAudit(world, { workspaceId: ann.workspaceId }, filter))
}

/** A morning with everything in it. */
beforeAll(async () => {
  world = await flowWorld()
  const { deps, db, clock } = world
  const { workspaceId } = world.call().caller
  ann = { id: 'ann', name: 'Ann', email: 'ann@example.org', workspaceId, role: 'owner' }
  await db.write(async (tx) => {
    await tx.insert(workspaces).values({ id: workspaceId, name: 'w', createdAt: clock.now() })
    await insertPerson(tx, ann, clock.now())
  })
  const created = await createToken(world, { workspaceId, name: 'CI', by: 'ann' })
  const tokenId = created.record.id
  const laptop = await world.device('Laptop', { personId: 'ann' })
  await world.device('Phone', { kind: 'phone' })
  world.receipts.set('Phone', async () => ({ outcome: 'refused', status: 403, reason: 'No key.' }))

  const ask = async (question: string, sessionId?: string, token = tokenId) => {
    await clock.advance(MINUTE)
    const input = { question, agentName: `Agent ${question}`, wait: false }
    const session = sessionId === undefined ? {} : { sessionId, machineId: 'mac' }
    const { correlationId } = await askUser(
      deps,
      { ...input, ...session },
      world.call({ tokenId: token }),
    )
    await clock.advance(1_000)
    return correlationId as QuestionId
  }
  const of = async (question: string, sessionId?: string) => ({
    workspaceId,
    questionId: await ask(question, sessionId),
    by: 'ann',
  })
  const yes = await of('yes', 's1')
  await answerQuestion(deps, { ...yes, value: 'yes', note: 'go', source: 'decide_page' })
  await answerQuestion(deps, { ...yes, value: 'no', source: 'inbox' })
  await stopAgent(deps, await of('stop', 's1'))
  const other = await createToken(world, { workspaceId, name: 'Other', by: 'ann' })
  const withdrawn = { correlationId: await ask('withdrawn', 's2'), reason: 'not needed' }
  await cancelQuestion(deps, withdrawn, world.call({ tokenId: other.record.id }))
  await ask('nobody')
  await clock.advance(11 * MINUTE)
  await expireQuestions(deps)
  await askUser(deps, { question: 'test', env: 'test', wait: false }, world.call({ tokenId }))
  await sendNotification(deps, { title: 'Built', body: 'All green.' }, world.call({ tokenId }))
  await forgetDevice(world, ann, laptop.id)
  await revokeToken(world, { id: tokenId, person: ann })
  const stamp = auditStamp(clock.now())
  const change = { workspaceId, kind: 'policy.changed', personId: 'ann', detail: 'waitMs' } as const
  await db.write((tx) => recordChange(tx, stamp, change))
  await clock.advance(MINUTE)
  everything = await all()
})
afterAll(() => world[Symbol.asyncDispose]())

const one = (kind: string, subject?: string) =>
  everything.find((entry) => entry.kind === kind && (!subject || entry.subject === subject))

test('everything that happened is there, newest first', () => {
  const count = Map.groupBy(everything, ({ kind }) => kind)
  expect(Object.fromEntries([...count].map(([kind, rows]) => [kind, rows.length]))).toEqual({
    'token.created': 2,
    'token.revoked': 1,
    'device.removed': 1,
    'policy.changed': 1,
    'question.opened': 5,
    'question.answered': 1,
    'question.answered_late': 1,
    'question.stopped': 1,
    'question.cancelled': 1,
    'question.expired': 1,
    'notification.sent': 1,
    'message.delivered': 5,
    'message.not_delivered': 5,
  })
  const times = everything.map(({ at }) => at)
  expect(times).toEqual([...times].sort((a, b) => b - a))
})

test('the trail says who asked, where it went, who answered from where, and who withdrew', () => {
  expect(one('question.opened', 'yes')).toMatchObject({
    agent: 'Agent yes',
    token: 'CI',
    sessionId: 's1',
    machineId: 'mac',
  })
  expect(one('question.opened', 'test')).toMatchObject({ outcome: 'held: test_traffic' })
  expect(one('question.answered')).toMatchObject({
    person: 'Ann',
    personId: 'ann',
    source: 'decide_page',
    outcome: 'yes',
    note: 'go',
  })
  const late = { person: 'Ann', source: 'inbox', outcome: 'no', subject: 'yes', agent: 'Agent yes' }
  expect(one('question.answered_late')).toMatchObject(late)
  expect(one('question.cancelled')).toMatchObject({ token: 'Other', outcome: 'not needed' })
  expect(one('question.stopped')).toMatchObject({ person: 'Ann', token: 'CI' })
  expect(one('message.not_delivered', 'yes')).toMatchObject({
    device: 'Phone',
    outcome: 'refused',
    note: 'No key.',
    sessionId: 's1',
  })
  expect(one('policy.changed')).toMatchObject({ person: 'Ann', outcome: 'waitMs' })
})

test('what is gone keeps its name', () => {
  expect(one('message.delivered', 'yes')).toMatchObject({ device: 'Laptop', outcome: 'accepted' })
  expect(one('device.removed')).toMatchObject({ person: 'Ann', subject: 'Laptop' })
  expect(one('token.revoked')).toMatchObject({ person: 'Ann', subject: 'CI' })
})

test('pages of any size are the whole without gap or repetition', async () => {
  for (const limit of [1, 2, 3, 7, 200]) {
    const seen: AuditEntry[] = []
    let cursor: string | undefined
    do {
      const page = await readAudit(world, { workspaceId: ann.workspaceId }, NO_FILTER, {
        cursor,
        limit,
      })
      seen.push(...page.entries)
      cursor = page.next
    } while (cursor)
    expect(seen).toEqual(everything)
  }
})

test('a filter leaves what a plain look over everything leaves', async () => {
  const pick = (values: unknown[]) => fc.constantFrom(undefined, ...values)
  const times = [...new Set(everything.map(({ at }) => at))]
  const filters = fc.record({
    kinds: fc.option(fc.subarray([...AUDIT_KINDS], { minLength: 1 }), { nil: undefined }),
    agent: pick(['Agent yes', 'Agent nobody', one('question.opened')?.tokenId, 'nobody']),
    personId: pick(['ann', 'bob']),
    sessionId: pick(['s1', 's2']),
    from: pick(times),
    to: pick(times),
  }) as fc.Arbitrary<AuditFilter>
  const askers = new Map(
    everything.flatMap(({ kind, subjectId, tokenId }) =>
      kind === 'question.opened' ? [[subjectId, tokenId] as const] : [],
    ),
  )
  const looked = (filter: AuditFilter) =>
    everything.filter((entry) => {
      const { kinds, agent, personId, sessionId, from = 0, to = Number.POSITIVE_INFINITY } = filter
      if (kinds && !kinds.includes(entry.kind)) return false
      if (entry.at < from || entry.at >= to) return false
      if (personId !== undefined && entry.personId !== personId) return false
      if (sessionId !== undefined && entry.sessionId !== sessionId) return false
      const agents = [entry.agent, entry.tokenId, askers.get(entry.subjectId)]
      return agent === undefined || agents.includes(agent)
    })
  await fc.assert(
    fc.asyncProperty(filters, async (filter) => {
      expect(await all(filter)).toEqual(looked(filter))
    }),
    { numRuns: howOften(20, 150) },
  )
})

test('another workspace sees nothing, and a made-up cursor is refused', async () => {
  expect((await readAudit(world, { workspaceId: 'ws_other' }, NO_FILTER)).entries).toEqual([])
  for (const cursor of ['', 'x', '1-2', 'zzzzzzzzzzzz-1-a', "1-1-a'b"]) {
    const reading = readAudit(world, { workspaceId: ann.workspaceId }, NO_FILTER, { cursor })
    await expect(reading).rejects.toMatchObject({ code: 'malformed' })
  }
  const far = await readAudit(world, { workspaceId: ann.workspaceId }, NO_FILTER, {
    cursor: 'zzzzzzzzz-9-z',
  })
  expect(far.entries).toEqual(everything)
})
