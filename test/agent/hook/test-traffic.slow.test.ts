import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Question } from '../../../src/ask/questions/model/question.ts'
import { listQuestions } from '../../../src/ask/questions/model/store.ts'
import { writeClientFile } from '../../../src/platform/config/client-file.ts'
import claudeWrite from '../../fixtures/clients/claude/PreToolUse.Write.json'
import { type RelayWorld, relayWorld } from '../../support/relay-world.ts'
import { tempFolder } from '../../support/temp-folder.ts'

setDefaultTimeout(60_000)

type Json = Record<string, unknown>

let world: RelayWorld
let token: string
let project: string
beforeAll(async () => {
  world = await relayWorld()
  // The agent's token: the one that its hooks use.
  token = await world.house.token()
  const file = { url: world.house.url, token, machineId: 'm_test', hookWaitSeconds: 60 }
  writeClientFile(file, { HOME: world.home })
  project = join(world.home, 'proj')
})
afterAll(() => world[Symbol.asyncDispose]())

async function send(path: string, body: Json, headers: Json = {}, as = token) {
  const response = await fetch(`${world.house.url}/api/v1${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${as}`,
      'content-type': 'application/json',
      ...(headers as Record<string, string>),
    },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: (await response.json()) as Json }
}

const agy = (conversationId: string, stepIdx: number, path: string) => ({
  toolCall: {
    name: 'write_to_file',
    args: { TargetFile: join(project, path), CodeContent: 'evil' },
  },
  stepIdx,
  conversationId,
  workspacePaths: [project],
})

const claude = (session_id: string, tool_use_id: string, path: string, more: Json = {}) => ({
  ...claudeWrite,
  session_id,
  tool_use_id,
  cwd: project,
  tool_input: { file_path: join(project, path), content: 'evil' },
  ...more,
})

/** A person agrees to `src`, and the hook of the session hears of it. */
async function ratified(session: string, learn: (session: string) => Json, client = 'agy') {
  const scope = { sessionId: session, allowedPaths: ['src'], doneWhen: 'Green.' }
  const proposing = send('/scopes', { ...scope, timeoutMs: 20_000 })
  const [proposal] = await world.asked(session)
  await world.answer(proposal, 'yes')
  expect((await proposing).body).toMatchObject({ ratified: true })
  await world.start(client, learn(session)).done
}

const start = (conversationId: string) => ({
  conversationId,
  invocationNum: 1,
  workspacePaths: [project],
})

/** What the hook will ask, as somebody who watched it once can tell. */
function foretold(question: Question): Json {
  const { toolName, toolTarget, toolPath, action, actionBody, scopePath } = question.detail
  const fields = { toolName, toolTarget, toolPath, action, actionBody, scopePath }
  return { question: question.question, ...fields }
}

/** Every way in which an agent can ask as if it tried something out, under an id of its choice. */
const WAYS: [
  string,
  (ask: Json, session: string, toolUseId: string, client: string) => Promise<Json>,
][] = [
  [
    'env: test',
    async (ask, sessionId, toolUseId) => {
      const place = { sessionId, machineId: 'm_test', env: 'test', wait: false }
      return (await send('/questions', { ...ask, ...place, toolUseId })).body
    },
  ],
  [
    'the header of a test connection, as a hook',
    async (ask, sessionId, toolUseId, client) => {
      const event = ask.scopePath === undefined ? 'approval' : 'check'
      const place = { sessionId, machineId: 'm_test', event }
      const body = { ...place, ask: { ...ask, toolUseId, wait: false } }
      const reply = await send(`/hooks/${client}`, body, { 'x-service-env': 'test' })
      return reply.body.question as Json
    },
  ],
]

async function answerItself(question: Json) {
  const path = `/questions/${question.correlationId}/answer`
  expect((await send(path, { value: 'yes' })).status).toBe(200)
}

describe.each(WAYS)('an agent that answers itself through %s', (_, pretend) => {
  test('opens no path outside the scope', async () => {
    const session = world.session()
    await ratified(session, start)
    const watched = world.start('agy', agy(session, 7, 'README.md'))
    const [first] = await world.asked(session)
    await world.answer(first, 'no')
    expect((await watched.done).out).toContain('"deny"')
    if (!first) throw new Error('nothing was asked')

    const question = await pretend(foretold(first), session, `${session}:8`, 'agy')
    await answerItself(question)
    const hook = world.start('agy', agy(session, 8, 'README.md'))
    const [real] = await world.asked(session)
    expect(real).toMatchObject({ test: false, held: undefined, question: first.question })
    await world.answer(real, 'no')
    expect((await hook.done).out).toContain('"deny"')
  })

  test('does not answer the prompt of its client', async () => {
    const session = world.session()
    const prompt = claude(session, 'unused', 'a.md', { hook_event_name: 'PermissionRequest' })
    const { tool_use_id, ...permission } = prompt
    const before = (id: string) => claude(session, id, 'a.md')
    await world.start('claude', before('toolu_1')).done
    const watched = world.start('claude', permission)
    const [first] = await world.asked(session)
    await world.answer(first, 'no')
    expect((await watched.done).out).toContain('"deny"')
    if (!first) throw new Error('nothing was asked')

    await answerItself(await pretend(foretold(first), session, 'toolu_2', 'claude'))
    await world.start('claude', before('toolu_2')).done
    const hook = world.start('claude', permission)
    const [real] = await world.asked(session)
    expect(real).toMatchObject({ test: false, held: undefined })
    await world.answer(real, 'yes')
    expect((await hook.done).out).toContain('"allow"')
  })
})

test('a hook with a test token lets nothing through that a program answered', async () => {
  using home = tempFolder()
  const tester = await world.house.token({ test: true })
  const session_id = world.session()
  const file = { url: world.house.url, token: tester, machineId: 'm_t', hookWaitSeconds: 10 }
  writeClientFile(file, { HOME: home.path })
  const project = join(home.path, 'proj')
  mkdirSync(project)
  const run = (hook_event_name: string, more: Json) =>
    world.start(
      'codex',
      { session_id, cwd: project, hook_event_name, ...more },
      { env: { HOME: home.path } },
    ).done
  const listAsks = async () => {
    const { app, workspaceId } = world.house
    const all = await listQuestions(app.db.read, { workspaceId }, { before: undefined, limit: 9 })
    return all.filter(({ sessionId }) => sessionId === session_id)
  }
  const answerAll = async () => {
    for (const { id } of await listAsks()) {
      await send(`/questions/${id}/answer`, { value: 'yes' }, {}, tester)
    }
  }
  const scope = { sessionId: session_id, allowedPaths: ['src'], doneWhen: 'Green.' }
  await send('/scopes', { ...scope, timeoutMs: 1_000 }, {}, tester)
  await answerAll()
  await run('SessionStart', { source: 'startup' })

  const tool_input = { command: 'echo x > README.md' }
  const write = { tool_name: 'Bash', tool_input, tool_use_id: 'call_1' }
  expect((await run('PreToolUse', write)).code).toBe(2)
  expect(await listAsks()).toHaveLength(2)
  await answerAll()
  // The same call again is answered by now, by the agent itself.
  expect((await run('PreToolUse', write)).err).toContain('reach nobody')
  const prompt = await run('PermissionRequest', { tool_name: 'Bash', tool_input })
  expect(prompt).toEqual({ code: 0, out: '', err: '' })
})

test('one yes is for one session, also where the client repeats its ids', async () => {
  const [one, two] = [world.session(), world.session()]
  const start = { hook_event_name: 'SessionStart', source: 'startup', cwd: project }
  for (const session of [one, two]) {
    await ratified(session, (session_id) => ({ ...start, session_id }), 'claude')
  }
  const write = (session: string, path: string) =>
    world.start('claude', claude(session, 'functions.write:1', path))
  const first = write(one, 'README.md')
  await world.answer((await world.asked(one))[0], 'yes')
  expect(await first.done).toEqual({ code: 0, out: '', err: '' })
  for (const [session, path] of [
    [two, 'README.md'],
    [one, 'OTHER.md'],
  ] as const) {
    const hook = write(session, path)
    const [question] = await world.asked(session)
    expect(question?.detail.scopePath).toBe(path)
    await world.answer(question, 'no')
    expect((await hook.done).code).toBe(2)
  }
})

test('one yes is for what was shown: an agent that asks as its hook will gets only that', async () => {
  const session = world.session()
  await ratified(session, start)
  const ask = { toolName: 'write_to_file', scopePath: 'README.md', toolUseId: `${session}:9` }
  const body = { sessionId: session, machineId: 'm_test', event: 'check', timeoutMs: 20_000 }
  const harmless = { question: 'May I fix a typo?', action: 'Fix a typo', ...ask }
  const asking = send('/hooks/agy', { ...body, ask: harmless })
  await world.answer((await world.asked(session))[0], 'yes')
  expect((await asking).body.question).toMatchObject({ value: 'yes' })
  const prompt = { ...ask, question: 'Use it?', action: 'write_to_file README.md evil' }
  const { scopePath, ...approval } = prompt
  const relayed = await send('/hooks/agy', {
    ...body,
    event: 'approval',
    ask: { ...approval, wait: false },
  })
  expect(relayed.body.question).toMatchObject({ question: 'Use it?', status: 'pending' })
})
