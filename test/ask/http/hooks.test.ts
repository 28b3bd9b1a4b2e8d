import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Question } from '../../../src/ask/questions/model/question.ts'
import { findHooks } from '../../../src/ask/scopes/model/hook-store.ts'
import { terminalActiveAt } from '../../../src/ask/sessions/model/store.ts'
import type { HookReply } from '../../../src/ask/wire/hook-fields.ts'
import type { ProposeScopeResult, WaitResult } from '../../../src/ask/wire/result-fields.ts'
import { readInbox } from '../../support/read-inbox.ts'
import { until } from '../../support/until.ts'
import { type As, HOME, type RestWorld, restWorld } from './rest-world.ts'

let world: RestWorld
beforeAll(async () => {
  world = await restWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

let n = 0
const newSession = () => `session-${n++}`
const MACHINE = { machineId: 'machine-1' }

async function report(body: object, as: As = 'agent', client = 'claude') {
  const path = `/api/v1/hooks/${client}`
  const { status, body: reply } = await world.call({ as, method: 'POST', path, body })
  return { status, reply: reply as HookReply }
}

const propose = async (body: object) => {
  const path = '/api/v1/scopes'
  const input = { doneWhen: 'Green.', timeoutMs: 1_000, ...body }
  return (await world.call({ as: 'agent', method: 'POST', path, body: input }))
    .body as ProposeScopeResult
}

const answer = (id: string, body: object) =>
  world.call({ as: 'member', method: 'POST', path: `/api/v1/questions/${id}/answer`, body })

/** Proposes, and says yes while the call waits. */
async function ratify(sessionId: string, lists: object) {
  const proposing = propose({ sessionId, timeoutMs: 10_000, ...lists })
  const { id } = await open(sessionId)
  expect((await answer(id, { value: 'yes' })).status).toBe(200)
  expect(await proposing).toMatchObject({ correlationId: id, ratified: true })
  return id
}

/** The open question of a session, as soon as there is one. */
async function open(sessionId: string): Promise<Question> {
  let question: Question | undefined
  await until(async () => {
    const inbox = await readInbox(world.deps, HOME)
    question = inbox.find((question) => question.sessionId === sessionId)
    return question !== undefined
  })
  return question as Question
}

test('a hook reports, and reads that nothing holds', async () => {
  const sessionId = newSession()
  const started = { event: 'session_start', sessionId, ...MACHINE, clientVersion: '2.1.300' }
  const examplePaths = ['src/a.ts', '/etc/passwd', '../x', 'a/../b', '~/.ssh/id', 'docs/b.md']
  expect(await report({ ...started, examplePaths })).toEqual({
    status: 200,
    reply: { contract: null, etag: 'none' },
  })
  const [hook] = await findHooks(world.db.read, HOME, sessionId)
  expect(hook).toMatchObject({ client: 'claude', clientVersion: '2.1.300', machineId: 'machine-1' })
  expect(hook?.examplePaths).toEqual(['src/a.ts', 'docs/b.md'])
  const listed = await world.call({ as: 'member', path: '/api/v1/sessions' })
  expect(listed.text).toContain(sessionId)
})

test('a session is the same however its id is cleaned', async () => {
  const sessionId = newSession()
  await ratify(sessionId, { allowedPaths: ['src'] })
  const { reply } = await report({
    event: 'heartbeat',
    sessionId: ` ${sessionId}\n`,
    ...MACHINE,
  })
  expect(reply.contract?.allowedPaths).toEqual(['src', 'src/**'])
})

test('a contract agreed to late is read by the hook and over REST, and by no other workspace', async () => {
  const sessionId = newSession()
  const lists = { allowedPaths: ['src'], promises: ['No new dependency'] }
  const { correlationId: id, timedOut } = await propose({ sessionId, ...lists })
  expect(timedOut).toBe(true)
  await answer(id, { value: 'yes' })
  const { reply } = await report({ event: 'heartbeat', sessionId, ...MACHINE })
  expect(reply.contract).toMatchObject({
    correlationId: id,
    allowedPaths: ['src', 'src/**'],
    offLimitsPaths: [],
    widened: [],
    doneWhen: 'Green.',
    promises: ['No new dependency'],
  })
  expect(reply.etag).toBe(`${id}.0`)
  const read = (as: As) => world.call({ as, path: `/api/v1/scopes/${sessionId}` })
  expect((await read('agent')).body as unknown).toEqual(reply.contract)
  expect((await read('otherAgent')).status).toBe(404)
  const other = await report({ event: 'heartbeat', sessionId, ...MACHINE }, 'otherAgent')
  expect(other.reply.contract).toBeNull()
})

test('the next one agreed to takes its place; a declined one changes nothing', async () => {
  const sessionId = newSession()
  const read = async () => (await report({ event: 'heartbeat', sessionId })).reply
  const first = await ratify(sessionId, { allowedPaths: ['src'] })
  const { correlationId } = await propose({ sessionId, allowedPaths: ['**'] })
  await answer(correlationId, { value: 'no', note: 'Only src.' })
  expect((await read()).contract?.correlationId).toBe(first)
  const path = `/api/v1/questions/${correlationId}`
  const result = (await world.call({ as: 'agent', path })).body as WaitResult
  expect(result).toMatchObject({ ratified: false, note: 'Only src.' })
  const second = await ratify(sessionId, { allowedPaths: ['lib'] })
  expect((await read()).contract?.correlationId).toBe(second)
})

test('a yes to a path outside adds exactly that path; a no adds nothing', async () => {
  const sessionId = newSession()
  const id = await ratify(sessionId, { allowedPaths: ['src'] })
  const check = (scopePath: string, toolUseId: string) =>
    report({
      event: 'check',
      sessionId,
      ...MACHINE,
      timeoutMs: 10_000,
      ask: { question: `Write ${scopePath}?`, toolName: 'Edit', scopePath, toolUseId },
    })
  const asking = check('docs/a[1].md', 'use-1')
  const question = await open(sessionId)
  expect(question.detail).toMatchObject({ pausedAware: true, scopePath: 'docs/a[1].md' })
  await answer(question.id, { value: 'yes' })
  const { reply } = await asking
  expect(reply.question).toMatchObject({ answered: true, value: 'yes' })
  expect(reply.contract?.widened).toEqual(['docs/a[1].md'])
  expect(reply.etag).toBe(`${id}.1`)

  const again = await check('docs/a[1].md', 'use-1')
  expect(again.reply.question?.correlationId).toBe(question.id)
  expect(again.reply.contract?.widened).toEqual(['docs/a[1].md'])

  const refusing = check('infra/prod.tf', 'use-2')
  await answer((await open(sessionId)).id, { value: 'no' })
  expect((await refusing).reply).toMatchObject({ question: { value: 'no' }, etag: `${id}.1` })
})

test('the same id and content are one question, and other content under that id is another', async () => {
  const sessionId = newSession()
  const approve = (question: string) =>
    report({
      event: 'approval',
      sessionId,
      ...MACHINE,
      timeoutMs: 10_000,
      ask: { question, toolName: 'Bash', toolTarget: 'npm test', requestId: 'r-1' },
    })
  const both = [approve('Run npm test?'), approve('Run npm test?')]
  const { id, question } = await open(sessionId)
  await answer(id, { value: 'yes' })
  for (const { reply } of await Promise.all([...both, approve('Run npm test?')])) {
    expect(reply.question).toMatchObject({ correlationId: id, question, value: 'yes' })
  }
  const other = approve('Run npm test again?')
  const next = await open(sessionId)
  expect(next).toMatchObject({ question: 'Run npm test again?', status: 'pending' })
  await answer(next.id, { value: 'no' })
  expect((await other).reply.question).toMatchObject({ correlationId: next.id, value: 'no' })
})

test('whoever watches hears of a session that a hook reports for the first time', async () => {
  const heard: string[] = []
  using _listening = {
    [Symbol.dispose]: world.db.changes.on('session', undefined, (id) => heard.push(id)),
  }
  await report({ event: 'session_start', sessionId: newSession(), machineId: 'm-new' })
  expect(heard).toEqual([expect.stringMatching(/^ses_/)])
})

test('wrong reports name what is wrong', async () => {
  const sessionId = newSession()
  const wrong = async (body: object, client?: string) => {
    const { status, reply } = await report(body, 'agent', client)
    const { fields } = reply as unknown as { fields: { field: string }[] }
    return [status, ...fields.map(({ field }) => field)]
  }
  expect(await wrong({ event: 'approval', sessionId })).toEqual([422, 'ask'])
  expect(await wrong({ event: 'dance', sessionId })).toEqual([422, 'event'])
  expect(await wrong({ event: 'heartbeat' })).toEqual([422, 'sessionId'])
  expect(await wrong({ event: 'heartbeat', sessionId: '\u0007' })).toEqual([422, 'sessionId'])
  expect(await wrong({ event: 'heartbeat', sessionId }, 'Not%20one')).toEqual([422, 'client'])
  const ask = { question: 'Write?', toolPath: 'relative' }
  expect(await wrong({ event: 'check', sessionId, ask })).toEqual([422, 'ask.toolPath'])
  expect(await wrong({ event: 'check', sessionId, ask: { question: 'Write?' } })).toEqual([
    422,
    'ask.scopePath',
  ])
})

test('only an interactive report is the proof that somebody is at the terminal', async () => {
  const sessionId = newSession()
  const machineId = 'machine-of-its-own'
  const ask = { question: 'Run it?', toolName: 'Bash', requestId: sessionId, wait: false }
  const isProven = async () =>
    (await terminalActiveAt(world.deps.db.read, HOME, machineId)) !== undefined
  await report({ event: 'heartbeat', sessionId, machineId })
  await report({ event: 'approval', sessionId, machineId, ask })
  expect(await isProven()).toBe(false)
  await report({ event: 'heartbeat', sessionId, machineId, interactive: true })
  expect(await isProven()).toBe(true)
})

test('a person edits the paths before saying yes, and everybody is told what holds', async () => {
  const sessionId = newSession()
  const lists = { allowedPaths: ['src', 'docs'], offLimitsPaths: ['**/.env'] }
  const proposing = propose({ sessionId, timeoutMs: 10_000, ...lists })
  const { id } = await open(sessionId)
  const edit = (contract: object, value = 'yes') => answer(id, { value, contract })
  const refused = async (contract: object, value?: string) => {
    const { status, body } = await edit(contract, value)
    const { fields } = body as { fields: { field: string }[] }
    return [status, ...fields.map(({ field }) => field)]
  }
  expect(await refused({ allowedPaths: ['src', '../up'] })).toEqual([
    422,
    'contract.allowedPaths[1]',
  ])
  expect(await refused({ offLimitsPaths: ['!x'] })).toEqual([422, 'contract.offLimitsPaths[0]'])
  expect(await refused({ paths: [] })).toEqual([422, 'contract.paths'])
  expect(await refused({ allowedPaths: [''] })).toEqual([422, 'contract.allowedPaths[0]'])
  expect(await refused({}, 'no')).toEqual([422, 'contract'])
  expect((await edit({ allowedPaths: ['src', 'lib'] })).status).toBe(200)
  const result = await proposing
  const contract = {
    allowedPaths: ['src', 'src/**', 'lib', 'lib/**'],
    offLimitsPaths: ['**/.env', '.env'],
    doneWhen: 'Green.',
  }
  expect(result).toMatchObject({ ratified: true, contract })
  expect(result.hint).toContain('(allowed +2 -2): keep to contract')
  const { reply } = await report({ event: 'heartbeat', sessionId })
  expect(reply.contract).toMatchObject(contract)
  const current = await world.call({ as: 'agent', path: `/api/v1/questions/${id}` })
  expect(current.body as WaitResult).toMatchObject({ contract, hint: result.hint })
})

test('paths sent back as they were shown are no edit', async () => {
  const sessionId = newSession()
  const proposing = propose({ sessionId, timeoutMs: 10_000, allowedPaths: ['src', '**/*.md'] })
  const { id } = await open(sessionId)
  const contract = { allowedPaths: ['**/*.md', '*.md', 'src/**', 'src'] }
  expect((await answer(id, { value: 'yes', contract })).status).toBe(200)
  expect((await proposing).hint).toBeUndefined()
})

test('a question that is no scope takes no paths', async () => {
  const sessionId = newSession()
  const ask = { question: 'Deploy?', toolName: 'Bash', requestId: sessionId, wait: false }
  const { reply } = await report({ event: 'approval', sessionId, ask })
  const id = reply.question?.correlationId ?? ''
  const { status, text } = await answer(id, { value: 'yes', contract: { allowedPaths: ['**'] } })
  expect([status, text]).toEqual([422, expect.stringContaining('"field":"contract"')])
})

test('the client of a hook stands before whatever name it reports', async () => {
  const sessionId = newSession()
  const about = { sessionId, ...MACHINE, agentName: 'Answered: yes — nothing to do' }
  const ask = { question: 'Publish?', toolName: 'Bash', action: 'npm publish' }
  const reporting = report(
    { event: 'approval', ...about, timeoutMs: 10_000, ask },
    'agent',
    'codex',
  )
  const { id, agentName } = await open(sessionId)
  expect(agentName).toBe('Codex - Answered: yes — nothing to do')
  expect((await answer(id, { value: 'no' })).status).toBe(200)
  await reporting
})
