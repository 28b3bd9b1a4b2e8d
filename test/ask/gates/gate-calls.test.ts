import { expect, test } from 'bun:test'
import { insertPerson, leaveWorkspace } from '../../../src/ask/accounts/model/person-store.ts'
import { homeWorkspace } from '../../../src/ask/accounts/model/workspace-store.ts'
import { answerQuestion } from '../../../src/ask/answering/answer-question.ts'
import { offersYes } from '../../../src/ask/questions/model/message-parts.ts'
import { gateActionHash } from '../../../src/ask/wire/tool-fingerprint.ts'
import { sha256 } from '../../../src/platform/signing/sha256.ts'
import { gateWorld, READ, SERVER, WRITE } from '../../support/gate-world.ts'

const MINUTE = 60_000

test('a tool without a rule is asked about, and the question shows the call', async () => {
  await using world = await gateWorld()
  await world.list(READ, WRITE)
  const reply = await world.held('write_file', { path: '/a.md', content: 'Hello' })
  expect(reply.decision).toBeUndefined()
  expect(reply.question?.status).toBe('pending')
  const { question, detail } = await world.question(reply)
  expect(question).toBe('Use write_file of fs?')
  expect(detail).toMatchObject({
    toolName: 'mcp__fs__write_file',
    action: 'mcp__fs__write_file {"path":"/a.md","content":"Hello"}',
    gate: {
      gate: 'fs',
      tool: 'write_file',
      description: 'Writes a file.',
      state: 'new',
      hints: { readOnly: false, destructive: true },
    },
  })
})

test('a yes is bound to server, tool, fingerprint and arguments, and used once', async () => {
  await using world = await gateWorld()
  const { tools } = await world.list(READ)
  const reply = await world.held('read_file', { path: 'a' })
  const argumentsHash = sha256('{"path":"a"}')
  const fingerprint = tools[0]?.fingerprint ?? null
  const call = { server: SERVER, tool: 'read_file', fingerprint, argumentsHash }
  expect(reply.actionHash).toBe(gateActionHash(call))
  await world.answer(reply, 'yes')
  for (const other of [
    { server: '["other"]' },
    { tool: 'write_file' },
    { fingerprint: null },
    { argumentsHash: 'b'.repeat(64) },
  ]) {
    await expect(world.use(reply, gateActionHash({ ...call, ...other }))).rejects.toThrow()
  }
  await world.use(reply)
  await expect(world.use(reply)).rejects.toThrow()
})

test('the same call joins its question, and another one does not', async () => {
  await using world = await gateWorld()
  await world.list(READ)
  const first = await world.held('read_file', { path: 'a' })
  const again = await world.held('read_file', { path: 'a' })
  expect(again.question?.correlationId).toBe(first.question?.correlationId)
  expect(again.question?.status).toBe('pending')
  await world.held('read_file', { path: 'b' })
  await world.held('read_file', { path: 'a' }, { sessionId: 's2' })
  expect(await world.open()).toBe(3)
  // Without a session the folder says whose call it is.
  const here = { sessionId: undefined }
  const one = await world.held('read_file', { path: 'a' }, here)
  const same = await world.held('read_file', { path: 'a' }, here)
  const elsewhere = await world.held('read_file', { path: 'a' }, { ...here, cwd: '/tmp' })
  expect(same.question?.correlationId).toBe(one.question?.correlationId)
  expect(elsewhere.question?.correlationId).not.toBe(one.question?.correlationId)
})

test('two equal calls at once ask once', async () => {
  await using world = await gateWorld()
  await world.list(READ)
  const both = await Promise.all([1, 2].map(() => world.held('read_file', { path: 'a' })))
  expect(new Set(both.map(({ question }) => question?.correlationId)).size).toBe(1)
  expect(await world.open()).toBe(1)
})

test('a yes after the hold lets the same call run once, and only for a while', async () => {
  await using world = await gateWorld()
  await world.list(READ)
  const short = { holdMs: 1_000 }
  const first = await world.held('read_file', {}, short)
  await world.clock.advance(MINUTE)
  await world.answer(first, 'yes')
  await world.clock.advance(5 * MINUTE)
  const again = await world.held('read_file', {}, short)
  expect(again.question).toMatchObject({ status: 'answered', value: 'yes' })
  await world.use(again)
  const third = await world.held('read_file', {}, short)
  expect(third.question?.status).toBe('pending')
  expect(third.question?.correlationId).not.toBe(first.question?.correlationId)
  await world.answer(third, 'yes')
  await world.clock.advance(31 * MINUTE)
  const late = await world.held('read_file', {}, short)
  expect(late.question?.status).toBe('pending')
})

async function withPeople(world: Awaited<ReturnType<typeof gateWorld>>) {
  const { workspaceId } = world.call().caller
  await world.db.write(async (tx) => {
    await homeWorkspace(tx, workspaceId, 1)
    for (const id of ['bo', 'cy']) {
      const who = { id, name: id, email: `${id}@example.org`, workspaceId, role: 'member' } as const
      await insertPerson(tx, who, 1)
    }
  })
  return workspaceId
}

test('a yes of somebody who was removed since stands for no later call', async () => {
  await using world = await gateWorld()
  await world.list(READ, WRITE)
  const workspaceId = await withPeople(world)
  const match = { toolName: 'mcp__fs__write_file' }
  await world.rule({ match, approve: { from: ['bo', 'cy'], need: 2, asker: 'counts' } })
  const calls = ['read_file', 'write_file']
  const first = await Promise.all(calls.map((tool) => world.held(tool)))
  for (const reply of first) {
    const { id: questionId, requirement } = await world.question(reply)
    for (const by of requirement ? ['cy', 'bo'] : ['bo']) {
      await answerQuestion(world.deps, { workspaceId, questionId, value: 'yes', by })
    }
  }
  await world.db.write((tx) => leaveWorkspace(tx, workspaceId, 'bo'))
  const again = await Promise.all(calls.map((tool) => world.held(tool)))
  for (const [at, { question }] of again.entries()) {
    expect(question?.correlationId).not.toBe(first[at]?.question?.correlationId)
  }
})

test('a yes stands for no later call to which more people have to agree since', async () => {
  await using world = await gateWorld()
  await world.list(READ, WRITE)
  const workspaceId = await withPeople(world)
  const match = { toolName: 'mcp__fs__write_file' }
  await world.rule({ match, approve: { from: ['bo', 'cy'], asker: 'counts' } })
  const { id: questionId } = await world.question(await world.held('write_file'))
  await answerQuestion(world.deps, { workspaceId, questionId, value: 'yes', by: 'bo' })
  await world.rule({ match, approve: { from: ['bo', 'cy'], need: 2, asker: 'counts' } })
  const { question } = await world.held('write_file')
  expect(question?.correlationId).not.toBe(questionId)
  expect(question?.value).toBeUndefined()
})

test('a no that no call waited for is told once; then the call asks again', async () => {
  await using world = await gateWorld()
  await world.list(READ)
  const first = await world.held('read_file', {}, { holdMs: 1_000 })
  await world.clock.advance(MINUTE)
  await world.answer(first, 'no', 'Not on a Friday.')
  const again = await world.held('read_file')
  expect(again.question).toMatchObject({ value: 'no', note: 'Not on a Friday.' })
  const third = await world.held('read_file')
  expect(third.question?.status).toBe('pending')
  // This no came while the gate held the call.
  await world.answer(third, 'no')
  expect((await world.held('read_file')).question?.status).toBe('pending')
})

test('an expired question does not stand for the next call', async () => {
  await using world = await gateWorld()
  await world.list(READ)
  const first = await world.held('read_file')
  await world.clock.advance(11 * MINUTE)
  const again = await world.held('read_file')
  expect(again.question?.status).toBe('pending')
  expect(again.question?.correlationId).not.toBe(first.question?.correlationId)
})

test('a rule that declines decides at once; one that allows waits for an owner to confirm', async () => {
  await using world = await gateWorld()
  await world.list(READ, WRITE)
  await world.rule({ match: { toolName: 'mcp__fs__write_file' }, decision: 'deny' })
  await world.rule({ match: { toolName: 'mcp__fs__read_file' }, decision: 'allow' })
  expect(await world.held('write_file', { path: 'a' })).toMatchObject({ decision: 'deny' })
  expect((await world.held('read_file', { path: 'a' })).question?.status).toBe('pending')
})

test('a tool that is in no list is asked about, and a person is told so', async () => {
  await using world = await gateWorld()
  const reply = await world.held('hidden_tool', { a: 1 })
  const { detail } = await world.question(reply)
  expect(detail.gate).toMatchObject({ state: 'unlisted', tool: 'hidden_tool' })
  await world.answer(reply, 'yes')
  await world.use(reply)
})

test('a call that was cut is never one tap, and can be allowed on its page', async () => {
  await using world = await gateWorld()
  await world.list(READ)
  const actionBody = `${'x'.repeat(3_000)}\n… 9000 more characters are not shown.`
  const reply = await world.held('read_file', {}, { actionBody, cut: true, arguments: 'unshown' })
  const question = await world.question(reply)
  expect(question.detail.gate?.cut).toBe(true)
  expect(offersYes(question)).toBe(false)
  await world.answer(reply, 'yes')
  await world.use(reply)
})
