import { expect, test } from 'bun:test'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openCodeShim } from '../../../src/agent/clients/opencode/setup.ts'
import { contract, type HookWorld, hookWorld } from '../../support/hook-world.ts'
import { fixture } from './fixture.ts'

const HOST = join(import.meta.dir, '../../support/opencode-host.ts')
const MAIN = join(import.meta.dir, '../../../src/main.ts')
const BECKON = [process.execPath, '--no-env-file', MAIN]

type Played = { done: Array<Record<string, unknown>>; answers: unknown[] }

/** Has the plugin, as it is written, loaded and run by a host. */
async function play(world: HookWorld, command: string[], steps: object[]): Promise<Played> {
  const plugin = join(world.home, 'beckon.ts')
  writeFileSync(plugin, openCodeShim(command))
  const host = Bun.spawn([process.execPath, '--no-env-file', HOST, plugin, world.project], {
    env: { ...process.env, ...world.env },
    stdin: new Blob([JSON.stringify(steps)]),
    stdout: 'pipe',
  })
  const text = await new Response(host.stdout).text()
  expect(await host.exited).toBe(0)
  return JSON.parse(text)
}

const call = { sessionID: 'ses_1', callID: 'call_1' }
const before = (tool: string, args: object, session = 'ses_1') => ({
  hook: 'tool.execute.before',
  input: { tool, ...call, sessionID: session },
  output: { args },
})
const proposed = {
  hook: 'tool.execute.after',
  input: { tool: 'beckon_propose_scope', ...call, args: {} },
  output: { title: '', output: 'Ratified.' },
}

/** In place of the program: says what a test wants to each event, or waits to be ended. */
function standIn(world: HookWorld, says: Record<string, object | 'wait'>): string[] {
  const path = join(world.home, 'stand-in.ts')
  const script = `
    const says = ${JSON.stringify(says)}
    const { event } = await Bun.stdin.json()
    process.on('SIGTERM', async () => {
      await Bun.write(${JSON.stringify(join(world.home, 'withdrawn'))}, event)
      process.exit(0)
    })
    if (says[event] === 'wait') await Bun.sleep(20_000)
    else if (says[event]) console.log(JSON.stringify(says[event]))`
  writeFileSync(path, script)
  return [process.execPath, path]
}

test('the plugin throws where the hook blocks, and lets everything else be', async () => {
  using world = hookWorld()
  world.server.contract = contract({ allowedPaths: ['src/**'], offLimitsPaths: ['infra/**'] })
  world.server.ratifiedBy = 'ses_1'
  world.server.answer = { value: 'no' }
  const { done } = await play(world, BECKON, [
    before('write', { filePath: `${world.project}/infra/a`, content: 'x' }, 'ses_other'),
    proposed,
    before('write', { filePath: `${world.project}/infra/a`, content: 'x' }),
    before('bash', { command: 'echo x > infra/a' }),
    before('read', { filePath: 'infra/a' }),
    before('write', { filePath: `${world.project}/src/a`, content: 'x'.repeat(300_000) }),
    before('write', { filePath: `${world.project}/README.md`, content: 'x' }),
  ])
  const offLimits = { threw: expect.stringContaining('infra/a is off limits') }
  expect(done[0]).not.toHaveProperty('threw')
  // The model learns what holds from now on.
  expect(JSON.stringify(done[1])).toContain(
    'Ratified.\\n\\nBeckon: A scope that a person agreed to',
  )
  expect(done.slice(2, 5)).toEqual([1, 2, 3].map(() => expect.objectContaining(offLimits)))
  expect(done[5]).not.toHaveProperty('threw')
  expect(done[6]?.threw).toContain('does not want README.md to be changed')
  const request = world.server.asked.find(({ event }) => event === 'check')
  expect(request).toMatchObject({
    sessionId: 'ses_1',
    ask: { toolUseId: 'call_1', toolName: 'write' },
  })
})

test('a hook that cannot run blocks while a scope of OpenCode holds, and only then', async () => {
  using world = hookWorld()
  const crashes = join(world.home, 'crashes.ts')
  writeFileSync(crashes, 'process.exit(1)')
  const broken = [['/no/such/program'], [process.execPath, crashes]]
  const steps = [before('bash', { command: 'true' })]
  for (const program of broken)
    expect((await play(world, program, steps)).done[0]).not.toHaveProperty('threw')
  world.server.contract = contract({ allowedPaths: ['src/**'] })
  await play(world, BECKON, [proposed])
  for (const program of broken)
    expect((await play(world, program, steps)).done[0]?.threw).toContain('a scope holds')
})

test('the helpers of a session are held to its scope', async () => {
  using world = hookWorld()
  world.server.contract = contract({ offLimitsPaths: ['infra/**'] })
  world.server.ratifiedBy = 'ses_1'
  const created = (id: string, parentID: string) => ({
    event: { type: 'session.created', properties: { info: { id, parentID } } },
  })
  const { done } = await play(world, BECKON, [
    proposed,
    created('ses_2', 'ses_1'),
    created('ses_3', 'ses_2'),
    created('ses_1', 'ses_3'),
    before('write', { filePath: 'infra/a' }, 'ses_3'),
    before('write', { filePath: 'infra/a' }, 'ses_other'),
  ])
  expect(done[4]?.threw).toContain('infra/a is off limits')
  expect(done[5]).not.toHaveProperty('threw')
})

test('our own tools learn which session calls, unless the model said so', async () => {
  using world = hookWorld()
  const { done } = await play(world, BECKON, [
    before('beckon_propose_scope', { allowedPaths: ['src'] }),
    before('beckon_ask_user', { question: 'Now?', sessionId: 'mine' }),
    before('other_tool', {}),
  ])
  const args = done.map(({ output }) => (output as { args: object }).args)
  expect(args).toEqual([
    { allowedPaths: ['src'], sessionId: 'ses_1' },
    { question: 'Now?', sessionId: 'mine' },
    {},
  ])
})

test('prompts and questions are answered as the hook says', async () => {
  using world = hookWorld()
  const permission = JSON.parse(fixture('opencode/event.permission.asked'))
  const question = JSON.parse(fixture('opencode/event.question.asked'))
  const says = {
    'permission.asked': { decision: 'allow' },
    'question.asked': { decision: 'allow', answers: [['Postgres']] },
  }
  const wait = { answers: 1, ms: 5_000 }
  const yes = await play(world, standIn(world, says), [{ event: permission }, wait])
  const { id, sessionID } = permission.properties
  expect(yes.answers).toEqual([
    { path: { id: sessionID, permissionID: id }, body: { response: 'once' } },
  ])
  const labels = await play(world, standIn(world, says), [{ event: question }, wait])
  const url = `/question/${question.properties.id}/reply`
  expect(labels.answers).toEqual([{ url, body: { answers: [['Postgres']] } }])
  const stop = { 'question.asked': { decision: 'deny', reason: 'stop' } }
  const stopped = await play(world, standIn(world, stop), [{ event: question }, wait])
  const rejected = `/question/${question.properties.id}/reject`
  expect(stopped.answers).toEqual([{ url: rejected, body: {} }])
  const deny = { 'permission.asked': { decision: 'deny', reason: 'not now' } }
  const no = await play(world, standIn(world, deny), [{ event: permission }, wait])
  const reply = { reply: 'reject', message: 'not now' }
  expect(no.answers).toEqual([{ url: `/permission/${id}/reply`, body: reply }])
})

test('who answers at the terminal ends the hook that waits elsewhere', async () => {
  using world = hookWorld()
  const event = JSON.parse(fixture('opencode/event.permission.asked'))
  const replied = {
    type: 'permission.replied',
    properties: { requestID: event.properties.id, reply: 'once' },
  }
  const { answers } = await play(world, standIn(world, { 'permission.asked': 'wait' }), [
    { event },
    { answers: 1, ms: 500 },
    { event: replied },
    { answers: 1, ms: 500 },
  ])
  expect(answers).toEqual([])
  expect(existsSync(join(world.home, 'withdrawn'))).toBe(true)
})

test('a program that is gone, fails or talks nonsense stops nobody', async () => {
  using world = hookWorld()
  const step = before('write', { filePath: 'a.txt' })
  const event = { event: JSON.parse(fixture('opencode/event.permission.asked')) }
  const ends = { answers: 1, ms: 200 }
  const talk = (text: string) => [process.execPath, '-e', `console.log(${JSON.stringify(text)})`]
  for (const command of [[join(world.home, 'gone')], talk('nonsense'), talk('null'), talk('[]')]) {
    const { done, answers } = await play(world, command, [step, event, ends])
    expect(done[0]).toEqual({ output: { args: { filePath: 'a.txt' } } })
    expect(answers).toEqual([])
  }
})

test('the plugin names the program as it was found', () => {
  const text = openCodeShim(['/opt/it\'s $& "here"/beckon'])
  expect(text).toContain(`const BECKON = ["/opt/it's $& \\"here\\"/beckon"]\n`)
  expect(text.split('\n').length).toBeGreaterThan(50)
})
