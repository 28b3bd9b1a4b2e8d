import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { exampleFiles } from '../../../src/agent/hook/session.ts'
import { keepScope } from '../../../src/agent/session/kept-scope.ts'
import { contract, hookWorld, NOTHING, runHeard, SESSION } from '../../support/hook-world.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { until } from '../../support/until.ts'

const SCOPE = { allowedPaths: ['src/**'], offLimitsPaths: ['infra/**'] }

const contextIn = (out: string) => JSON.parse(out).hookSpecificOutput.additionalContext as string

test('a session that begins is told its id, and the server what it looks like', async () => {
  using world = hookWorld()
  const { run, event, server, project } = world
  world.write('src/a.ts')
  world.write('README.md')
  world.write('node_modules/x/index.js')
  const started = await run('claude', event('SessionStart', { source: 'startup' }))
  expect(started).toMatchObject({ code: 0, err: '' })
  expect(contextIn(started.out)).toContain(`the sessionId of this session is "${SESSION}"`)
  expect(server.asked).toEqual([
    expect.objectContaining({
      event: 'session_start',
      sessionId: SESSION,
      machineId: 'm_test',
      machineName: hostname(),
      repoKey: expect.stringMatching(/^path:/),
      agentName: 'Claude Code - proj',
      cwd: project,
      hookVersion: expect.any(String),
      contained: 'none',
      examplePaths: ['README.md', 'src/a.ts'],
    }),
  ])
})

test('the first session of a machine is told its id, also when no server answers', async () => {
  using world = hookWorld()
  world.server.stop()
  const { code, out } = await world.run('claude', world.event('SessionStart'))
  expect(code).toBe(0)
  expect(contextIn(out)).toContain(`the sessionId of this session is "${SESSION}"`)
})

test('a session that goes on is told the scope that holds, and it is enforced at once', async () => {
  using world = hookWorld()
  const { run, event, before, server, project } = world
  server.contract = { ...(await ratified(world)), promises: ['no new dependencies'] }
  const session = { session_id: 'resumed' }
  const start = event('SessionStart', { source: 'resume', ...session })
  // A busy machine does not hear the server in the time that a start may take.
  await until(async () =>
    contextIn((await run('codex', start)).out).includes(
      'Write only to: src/**. Off limits, also to read: infra/**.',
    ),
  )
  server.stop()
  const off = before('Bash', { command: `cat ${project}/infra/a` }, session)
  expect(await run('codex', off)).toMatchObject({ code: 2 })
})

async function ratified(world: ReturnType<typeof hookWorld>) {
  await world.ratify('claude', SCOPE)
  if (!world.server.contract) throw new Error('nothing was agreed to')
  return world.server.contract
}

test('the tool after which a scope holds says so, once', async () => {
  using world = hookWorld()
  const { run, event, server } = world
  const after = event('PostToolUse', { tool_name: 'mcp__beckon__wait_for_answer' })
  expect(await run('claude', after)).toEqual(NOTHING)
  server.contract = await ratified(world)
  server.contract = { ...server.contract, correlationId: 'q_next' }
  expect(contextIn((await run('claude', after)).out)).toStartWith(
    'Beckon: A scope that a person agreed',
  )
  expect(await run('claude', after)).toEqual(NOTHING)
  expect(await run('claude', event('PostToolUse', { tool_name: 'Bash' }))).toEqual(NOTHING)
})

test('a yes to a proposal whose call was interrupted holds from the next call', async () => {
  using world = hookWorld()
  const { run, before, server } = world
  const write = before('Write', { file_path: 'infra/a' })
  expect(await runHeard(world, write)).toEqual(NOTHING)
  // No event follows: the person at the terminal interrupts the call.
  await run('claude', before('mcp__beckon__propose_scope', {}))
  server.contract = contract(SCOPE)
  await Bun.sleep(1_100)
  expect(await runHeard(world, write)).toMatchObject({ code: 2 })
  // And the server is told that the hook holds it.
  const { correlationId } = server.contract
  await until(() => server.asked.some(({ contractEtag }) => contractEtag?.includes(correlationId)))
})

test('a yes to a proposal that another program made holds from the next call', async () => {
  using world = hookWorld()
  const { before, server } = world
  const write = before('Write', { file_path: 'infra/a' })
  server.proposed = true
  expect(await runHeard(world, write)).toEqual(NOTHING)
  server.contract = contract(SCOPE)
  await Bun.sleep(1_100)
  expect(await runHeard(world, write)).toMatchObject({ code: 2 })
})

test('a scope that replaced another half a minute ago holds for the very next call', async () => {
  using world = hookWorld()
  const { before, server, state } = world
  const place = { state, client: 'claude', sessionId: SESSION }
  const earlier = contract({ correlationId: 'q_earlier' })
  const scope = { contract: earlier, etag: 'e', roots: [], widened: [], serverUrl: server.url }
  keepScope(place, { ...scope, checkedAt: Date.now() - 31_000 })
  server.contract = contract(SCOPE)
  expect(await runHeard(world, before('Write', { file_path: 'infra/a' }))).toMatchObject({
    code: 2,
  })
})

test('a scope that the server has ended is over with the next look', async () => {
  using world = hookWorld()
  const { run, event, before, ratify, server } = world
  await ratify('claude', SCOPE)
  server.contract = null
  const off = before('Write', { file_path: 'infra/a' })
  expect(await run('claude', off)).toMatchObject({ code: 2 })
  await run('claude', event('PostToolUse', { tool_name: 'mcp__beckon__propose_scope' }))
  expect(await run('claude', off)).toEqual(NOTHING)
})

test('the end of a session ends its scope, and the server hears of it', async () => {
  using world = hookWorld()
  const { run, event, before, ratify, server, state } = world
  await ratify('claude', SCOPE)
  expect(await run('claude', event('SessionEnd', { reason: 'other' }))).toEqual(NOTHING)
  expect(readdirSync(join(state, 'scope'))).toEqual([])
  await until(() => server.asked.some(({ event }) => event === 'session_end'))
  server.stop()
  expect(await run('claude', before('Write', { file_path: 'infra/a' }))).toEqual(NOTHING)
})

test('an agent that has the hook forget its scope is held to it all the same', async () => {
  using world = hookWorld()
  const { run, event, before, ratify, state } = world
  await ratify('claude', SCOPE)
  const off = before('Write', { file_path: 'infra/a' })
  // As `echo '{…}' | beckon hook claude` in a shell of the session would.
  await run('claude', event('SessionEnd', { reason: 'other' }))
  expect(await run('claude', off)).toMatchObject({ code: 2 })
  rmSync(state, { recursive: true })
  expect(await run('claude', off)).toMatchObject({ code: 2 })
})

test('what is older than half a minute is asked for again, while the tool goes on', async () => {
  using world = hookWorld()
  const { run, before, server } = world
  server.contract = await ratified(world)
  const other = { session_id: 'met-in-the-middle' }
  const write = before('Write', { file_path: 'README.md' }, other)
  const requestCount = server.asked.length
  expect(await run('claude', before('Read', { file_path: 'README.md' }, other))).toEqual(NOTHING)
  await until(() => server.asked.length > requestCount)
  await until(() => readdirSync(join(world.state, 'scope')).length === 4)
  server.answer = { value: 'no' }
  expect(await run('claude', write)).toMatchObject({ code: 2 })
})

test('a machine that was not set up is told nothing and keeps nothing', async () => {
  using world = hookWorld()
  const { run, event, before, state } = world
  const env = { XDG_CONFIG_HOME: `${world.home}/nowhere` }
  for (const input of [
    event('SessionStart'),
    before('Write', { file_path: '/x' }),
    event('SessionEnd'),
  ]) {
    expect(await run('claude', input, { env })).toEqual(NOTHING)
  }
  expect(existsSync(state)).toBe(false)
})

test('two hooks for one call ask one question, and say the same', async () => {
  using world = hookWorld({ waitSeconds: 10 })
  const { run, before, ratify, server } = world
  await ratify('claude', SCOPE)
  const write = before('Write', { file_path: 'README.md' })
  const both = Promise.all([run('claude', write), run('claude', write)])
  const checks = () => server.asked.filter(({ event }) => event === 'check')
  await until(() => checks().length === 2)
  expect(new Set(checks().map(({ ask }) => ask?.toolUseId))).toEqual(new Set(['toolu_1']))
  server.answer = { value: 'no' }
  const [one, two] = await both
  expect(one).toEqual(two)
  expect(one.code).toBe(2)
})

test('the places of one call are asked one after the other, and too many not at all', async () => {
  using world = hookWorld()
  const { run, before, ratify, server } = world
  await ratify('codex', SCOPE)
  server.answer = { value: 'yes' }
  const patch = (...files: string[]) =>
    before('apply_patch', {
      command: `*** Begin Patch\n${files.map((file) => `*** Add File: ${file}\n+x\n`).join('')}*** End Patch`,
    })
  expect(await run('codex', patch('src/ok', 'a', 'b'))).toEqual(NOTHING)
  const asks = server.asked.filter(({ event }) => event === 'check').map(({ ask }) => ask)
  expect(asks.map((ask) => [ask?.scopePath, ask?.toolUseId])).toEqual([
    ['a', 'toolu_1'],
    ['b', 'toolu_1#1'],
  ])
  expect(await run('codex', patch('src/ok', 'a', 'infra/x'))).toMatchObject({ code: 2 })
  const many = await run('codex', patch('c', 'd', 'e', 'f'))
  expect(many.err).toStartWith('4 places are outside the scope of this session (c, d, e, f')
})

test('a person hears once of each path that is off limits and was tried', async () => {
  using world = hookWorld()
  const { run, before, event, ratify, server } = world
  await ratify('claude', SCOPE)
  const off = (path: string) => run('claude', before('Write', { file_path: path }))
  await off('infra/a')
  await until(() => server.notes.length === 1)
  await off('infra/a')
  await off('infra/b')
  await until(() => server.notes.length === 2)
  expect(server.notes).toEqual(
    ['infra/a', 'infra/b'].map((path) => ({
      title: `Claude Code was stopped: ${path}`,
      body: `It is off limits in the scope of this session (rule infra/**): ${path}`,
      agentName: 'Claude Code - proj',
      machineId: 'm_test',
      sessionId: SESSION,
    })),
  )
  await run('claude', event('SessionEnd'))
  expect(readdirSync(join(world.state, 'told'))).toEqual([])
})

test('a client that ends its hook takes the question back', async () => {
  using world = hookWorld({ waitSeconds: 30 })
  const { before, ratify, server, env } = world
  await ratify('codex', SCOPE)
  const main = join(import.meta.dir, '../../../src/main.ts')
  const child = Bun.spawn([process.execPath, '--no-env-file', main, 'hook', 'codex'], {
    env: { ...process.env, ...env },
    stdin: new Blob([JSON.stringify(before('Bash', { command: 'touch README.md' }))]),
    stdout: 'ignore',
    stderr: 'ignore',
  })
  await until(() => server.asked.some(({ event }) => event === 'check'))
  child.kill('SIGTERM')
  expect(await child.exited).toBe(2)
  expect(server.withdrawn).toEqual(['q_1'])
})

test('a question that is handed to the terminal is withdrawn, one that is refused stays open', async () => {
  using world = hookWorld({ waitSeconds: 1 })
  const { run, before, ratify, server } = world
  await ratify('claude', SCOPE)
  const headless = { env: { CLAUDE_CODE_SESSION_ATTENDED: '0' } }
  const questions = () => server.asked.filter(({ event }) => event === 'check').length
  let calls = 0
  const write = () => before('Write', { file_path: 'a' }, { tool_use_id: `t${++calls}` })
  // On a busy machine the second of a hook is over before it has asked.
  await until(async () => {
    await run('claude', write(), headless)
    return questions() > 0
  })
  expect(server.withdrawn).toEqual([])
  await until(async () => {
    await run('claude', write())
    return server.withdrawn.length > 0
  })
  expect(server.withdrawn).toEqual([`q_${questions()}`])
})

test('the examples of a project are few, near, and from everywhere', () => {
  using folder = tempFolder()
  for (const name of ['a', 'b/c', 'node_modules/x', '.git']) {
    mkdirSync(join(folder.path, name), { recursive: true })
    for (let at = 100; at < 400; at++) writeFileSync(join(folder.path, name, `f${at}`), '')
  }
  const files = exampleFiles(folder.path)
  expect(files.length).toBe(200)
  expect(files.slice(0, 4)).toEqual(['a/f100', 'b/c/f100', 'a/f101', 'b/c/f101'])
  expect(exampleFiles(join(folder.path, 'nowhere'))).toEqual([])
})
