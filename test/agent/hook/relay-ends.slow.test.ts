import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { addRule } from '../../../src/ask/policy/change-policy.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import { writeClientFile } from '../../../src/platform/config/client-file.ts'
import claudeBash from '../../fixtures/clients/claude/PermissionRequest.Bash.interactive.json'
import claudeAfter from '../../fixtures/clients/claude/PostToolUse.Bash.json'
import claudeEnd from '../../fixtures/clients/claude/SessionEnd.prompt_input_exit.interactive.json'
import claudeStop from '../../fixtures/clients/claude/Stop.json'
import claudePrompt from '../../fixtures/clients/claude/UserPromptSubmit.json'
import { hookWaits } from '../../support/hook-waits.ts'
import { callIdOf } from '../../support/question.ts'
import { type RelayWorld, relayWorld } from '../../support/relay-world.ts'
import type { Ran } from '../../support/run-command.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { until } from '../../support/until.ts'

setDefaultTimeout(60_000)

let world: RelayWorld
beforeAll(async () => {
  world = await relayWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const SILENT: Ran = { code: 0, out: '', err: '' }
const ALLOWED =
  '{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"}}}'
const HERE = { status: 'cancelled', endReason: 'Answered at the terminal.' } as const

const permission = (session_id: string, more: object = {}) => ({
  ...claudeBash,
  session_id,
  ...more,
})
const beforeTool = (session_id: string, tool_use_id: string, more: object = {}) => ({
  ...permission(session_id, more),
  hook_event_name: 'PreToolUse',
  tool_use_id,
})
const afterTool = (session_id: string, tool_use_id: string, more: object = {}) => ({
  ...claudeAfter,
  session_id,
  tool_use_id,
  tool_name: 'Bash',
  tool_input: claudeBash.tool_input,
  ...more,
})

async function open(input: { session_id: string }) {
  const hook = world.start('claude', input)
  const [question] = await world.asked(input.session_id)
  if (!question) throw new Error('nothing was asked')
  return { hook, question }
}

test.each<[string, (session: string) => Record<string, unknown>]>([
  ['the tool ran', (session) => afterTool(session, 'toolu_9')],
  [
    'the tool failed',
    (session) => ({ ...afterTool(session, 'toolu_9'), hook_event_name: 'PostToolUseFailure' }),
  ],
  [
    'it was refused',
    (session) => ({ ...afterTool(session, 'toolu_9'), hook_event_name: 'PermissionDenied' }),
  ],
  ['the turn ended', (session) => ({ ...claudeStop, session_id: session })],
  ['the next prompt was written', (session) => ({ ...claudePrompt, session_id: session })],
  ['the session ended', (session) => ({ ...claudeEnd, session_id: session })],
])('an answer at the terminal withdraws the question from the phone: %s', async (_, event) => {
  const session_id = world.session()
  const { hook, question } = await open(permission(session_id))
  await world.start('claude', event(session_id)).done
  expect(await hook.done).toEqual(SILENT)
  expect(await world.look(question)).toMatchObject(HERE)
})

test('an answer at the terminal withdraws the question from the phone by its id, where the hook before the tool was told it', async () => {
  const session_id = world.session()
  await world.start('claude', beforeTool(session_id, 'toolu_a')).done
  const { hook, question } = await open(permission(session_id))
  expect(callIdOf(question)).toBe('toolu_a')
  await world.start('claude', afterTool(session_id, 'toolu_other')).done
  expect((await world.look(question)).status).toBe('pending')
  await world.start('claude', afterTool(session_id, 'toolu_a')).done
  expect(await hook.done).toEqual(SILENT)
  expect(await world.look(question)).toMatchObject(HERE)
})

test('the question stays on the phone when another call or another session went on', async () => {
  const session_id = world.session()
  const { hook, question } = await open(permission(session_id))
  const other = { tool_input: { command: 'ls' } }
  await world.start('claude', afterTool(session_id, 'toolu_b', other)).done
  await world.start('claude', afterTool(world.session(), 'toolu_c')).done
  expect((await world.look(question)).status).toBe('pending')
  await world.answer(question, 'yes')
  expect((await hook.done).out).toBe(ALLOWED)
})

test('an answer at the terminal withdraws the question from the phone, also when the hook that asked is gone', async () => {
  const session_id = world.session()
  const { hook, question } = await open(permission(session_id))
  await hookWaits(world.home, question.id)
  hook.kill('SIGKILL')
  await hook.done
  await world.start('claude', afterTool(session_id, 'toolu_9')).done
  expect(await world.look(question)).toMatchObject(HERE)
})

test('an answer at the terminal withdraws the question from the phone when the client itself is gone', async () => {
  const session_id = world.session()
  const hook = world.start('claude', permission(session_id), { below: true })
  const [question] = await world.asked(session_id)
  hook.kill('SIGKILL')
  // Standard output is closed by the last one that holds it: the hook.
  expect((await hook.done).out).toBe('')
  expect(question && (await world.look(question))).toMatchObject({
    status: 'cancelled',
    endReason: 'The agent’s client has ended.',
  })
})

test('an answer at the terminal withdraws the question from the phone when the client ends the hook', async () => {
  const { hook, question } = await open(permission(world.session()))
  hook.kill('SIGTERM')
  expect(await hook.done).toEqual(SILENT)
  expect(await world.look(question)).toMatchObject(HERE)
})

test('two calls that are alike are two questions, each with its own answer', async () => {
  const session_id = world.session()
  for (const id of ['toolu_1', 'toolu_2']) {
    await world.start('claude', beforeTool(session_id, id)).done
  }
  const hooks = [1, 2].map(() => world.start('claude', permission(session_id)))
  const [one, two] = await world.asked(session_id, 2)
  expect(new Set([callIdOf(one), callIdOf(two)])).toEqual(new Set(['toolu_1', 'toolu_2']))
  await world.answer(one, 'yes')
  await world.answer(two, 'no')
  const results = await Promise.all(hooks.map(({ done }) => done))
  expect(results.map(({ out }) => /"behavior":"(\w+)"/.exec(out)?.[1]).sort()).toEqual([
    'allow',
    'deny',
  ])
})

test('two calls that are alike are two questions even without ids', async () => {
  const session_id = world.session()
  const hooks = [1, 2].map(() => world.start('claude', permission(session_id)))
  const both = await world.asked(session_id, 2)
  for (const question of both) await world.answer(question, 'yes')
  for (const { done } of hooks) expect((await done).out).toBe(ALLOWED)
})

test('a hook that is registered twice asks once, and one of the two is told the yes', async () => {
  const session_id = world.session()
  const twice = (input: object) =>
    [1, 2].map(() => world.start('claude', input as Record<string, unknown>))
  await Promise.all(twice(beforeTool(session_id, 'toolu_t')).map(({ done }) => done))
  const hooks = twice(permission(session_id))
  const [question] = await world.asked(session_id)
  expect(callIdOf(question)).toBe('toolu_t')
  // Both wait by now, or join what is answered already.
  await world.answer(question, 'yes')
  const results = await Promise.all(hooks.map(({ done }) => done))
  // A yes is for one call; of the other report the client hears nothing.
  expect(results.map(({ out }) => out).sort()).toEqual(['', ALLOWED])
  expect(await world.asked(session_id, 0)).toEqual([])
})

test('a path outside the scope and the prompt for the same call are one tap', async () => {
  const session_id = world.session()
  const { url } = world.house
  const headers = {
    authorization: `Bearer ${await world.house.token()}`,
    'content-type': 'application/json',
  }
  const scope = { sessionId: session_id, allowedPaths: ['src/**'], doneWhen: 'Green.' }
  const proposed = fetch(`${url}/api/v1/scopes`, {
    method: 'POST',
    headers,
    body: JSON.stringify(scope),
  })
  const [proposal] = await world.asked(session_id)
  await world.answer(proposal, 'yes')
  await proposed
  const write = {
    tool_name: 'Write',
    tool_input: { file_path: '/home/u/proj/README.md', content: 'Hello' },
  }
  const ratified = { tool_name: 'mcp__beckon__propose_scope', tool_input: scope }
  await world.start('claude', afterTool(session_id, 'toolu_p', ratified)).done

  const gate = world.start('claude', beforeTool(session_id, 'toolu_w', write))
  const [outside] = await world.asked(session_id)
  // Its yes answers both, so it shows what the prompt would have shown.
  expect(outside?.detail).toMatchObject({ scopePath: 'README.md', actionBody: '+Hello\n' })
  await world.answer(outside, 'yes')
  expect(await gate.done).toEqual(SILENT)

  const result = await world.start('claude', permission(session_id, write)).done
  expect(result.out).toBe(ALLOWED)
  expect(await world.asked(session_id, 0)).toEqual([])
})

test('rules decide at once, and never allow what is hard to undo', async () => {
  const { app, workspaceId } = world.house
  const deps = { db: app.db, clock }
  await addRule(deps, workspaceId, { match: { toolName: 'Deploy' }, decision: 'allow' })
  await addRule(deps, workspaceId, { match: { toolName: 'Publish' }, decision: 'deny' })
  const call = (tool_name: string, tool_input: object) =>
    world.start('claude', permission(world.session(), { tool_name, tool_input })).done
  expect((await call('Deploy', { to: 'staging' })).out).toBe(ALLOWED)
  expect((await call('Publish', {})).out).toContain('A rule of the workspace declines this.')
  // What cannot be shown at all is left to the client.
  const nested = `${'['.repeat(60_000)}${']'.repeat(60_000)}`
  const text = JSON.stringify(permission(world.session(), { tool_name: 'Deploy' }))
  const deep = text.replace(/\}$/, `,"tool_input":{"to":${nested}}}`)
  expect(await world.start('claude', deep).done).toEqual(SILENT)
  // What is cut or has a secret in it is asked, harmless or not.
  const secret = `AKIA${'Q7'.repeat(8)}`
  for (const to of ['x'.repeat(25_000), `${'x'.repeat(25_000)} rm -rf /`, secret]) {
    const { hook, question } = await open(
      permission(world.session(), { tool_name: 'Deploy', tool_input: { to } }),
    )
    await world.answer(question, 'no')
    expect((await hook.done).out).toContain('"deny"')
  }
  const session_id = world.session()
  const danger = { tool_name: 'Deploy', tool_input: { run: 'terraform destroy' } }
  const { hook, question } = await open(permission(session_id, danger))
  await world.answer(question, 'no')
  expect((await hook.done).out).toContain('"deny"')
  // Padding keeps nothing from the server.
  const padded = { tool_name: 'Deploy', tool_input: { run: `${'x'.repeat(8_000)} rm -rf /` } }
  const other = await open(permission(world.session(), padded))
  expect(other.question.detail.action).toContain('rm -rf /')
  await world.answer(other.question, 'no')
  expect((await other.hook.done).out).toContain('"deny"')
})

test('a rule for a part of a command allows no second line of it', async () => {
  const { app, workspaceId } = world.house
  const match = { toolName: 'Bash', toolTarget: 'npm test*' }
  await addRule({ db: app.db, clock }, workspaceId, { match, decision: 'allow' })
  const tool = (command: string) => ({ tool_name: 'Bash', tool_input: { command } })
  const one = await world.start('claude', permission(world.session(), tool('npm test -- a'))).done
  expect(one.out).toBe(ALLOWED)
  for (const end of ['\n', '\r\n', '\r']) {
    const session_id = world.session()
    const { hook, question } = await open(permission(session_id, tool(`npm test${end}curl x.test`)))
    expect(question.detail.toolTarget).toBe('npm test; curl x.test')
    await world.answer(question, 'no')
    expect((await hook.done).out).toContain('"deny"')
  }
})

const machine = (file: Parameters<typeof writeClientFile>[0] | undefined) => {
  const folder = tempFolder()
  if (file) writeClientFile(file, { HOME: folder.path })
  return { HOME: folder.path, [Symbol.dispose]: () => folder[Symbol.dispose]() }
}
const run = (HOME: string, session = world.session()) =>
  world.start('claude', permission(session), { env: { HOME } }).done

test('the client decides on a machine that was not set up', async () => {
  using home = machine(undefined)
  expect(await run(home.HOME)).toEqual(SILENT)
})

test('the client decides when the token is not accepted', async () => {
  using home = machine({ url: world.house.url, token: 'no-token', machineId: 'm' })
  expect(await run(home.HOME)).toEqual(SILENT)
})

test('the client decides when no server is there', async () => {
  using home = machine({ url: 'http://127.0.0.1:9', token: 'token', machineId: 'm' })
  expect(await run(home.HOME)).toEqual(SILENT)
})

test('the client decides when the server answers nonsense', async () => {
  using server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response('<p>') })
  using home = machine({ url: server.url.origin, token: 'token', machineId: 'm' })
  expect(await run(home.HOME)).toEqual(SILENT)
})

test('the client decides when nobody can be told, or questions stay in the terminal', async () => {
  const token = await world.house.token({ test: true })
  using home = machine({ url: world.house.url, token, machineId: 'm' })
  expect(await run(home.HOME)).toEqual(SILENT)
})

test('the client decides when nobody answers in time, and the question is withdrawn', async () => {
  const token = await world.house.token()
  const file = { url: world.house.url, token, machineId: 'm_test', hookWaitSeconds: 4 }
  using home = machine(file)
  const session_id = world.session()
  const result = run(home.HOME, session_id)
  const [question] = await world.asked(session_id)
  expect(await result).toEqual(SILENT)
  await until(
    async () => question !== undefined && (await world.look(question)).status !== 'pending',
  )
  expect(question && (await world.look(question))).toMatchObject({
    status: 'cancelled',
    endReason: 'Nobody answered in time; the terminal asks now.',
  })
})
