import { expect, test } from 'bun:test'
import { findScope, keepScope } from '../../../src/agent/session/kept-scope.ts'
import { contract, hookWorld, NOTHING, runHeard, SESSION } from '../../support/hook-world.ts'

const SCOPE = { allowedPaths: ['src/**'], offLimitsPaths: ['infra/**'] }
const PROPOSED = { tool_name: 'mcp__beckon__propose_scope' }

test('a yes that comes after the proposal returned holds from the next call', async () => {
  using world = hookWorld()
  const { run, event, before, server } = world
  expect(await run('claude', event('PostToolUse', PROPOSED))).toEqual(NOTHING)
  server.contract = contract(SCOPE)
  age(world, 1_001)
  expect(await run('claude', before('Write', { file_path: 'infra/a' }))).toMatchObject({ code: 2 })
})

test('a yes to another scope holds from the next call, too', async () => {
  using world = hookWorld()
  const { run, event, before, server, ratify } = world
  await ratify('claude', SCOPE)
  await run('claude', event('PostToolUse', PROPOSED))
  server.contract = contract({ ...SCOPE, correlationId: 'q_2', offLimitsPaths: ['lib/**'] })
  age(world, 1_001)
  const read = before('Read', { file_path: 'lib/a' })
  expect(await run('claude', read)).toMatchObject({ code: 2 })
  const requestCount = server.asked.length
  age(world, 1_001)
  expect(await run('claude', read)).toMatchObject({ code: 2 })
  expect(server.asked.length).toBe(requestCount)
})

test('a session that is not known yet may read nothing that is off limits', async () => {
  using world = hookWorld()
  world.server.contract = contract(SCOPE)
  const read = world.before('Read', { file_path: 'infra/a' })
  expect(await world.run('claude', read)).toMatchObject({ code: 2 })
})

test('after half a minute the hook looks up again, before the call, that no scope holds', async () => {
  using world = hookWorld()
  const { run, event, before, server } = world
  await run('claude', event('SessionStart'))
  const write = before('Write', { file_path: 'infra/a' })
  server.contract = contract(SCOPE)
  expect(await run('claude', write)).toEqual(NOTHING)
  expect(server.asked).toHaveLength(1)
  age(world, 30_001)
  expect(await runHeard(world, write)).toMatchObject({ code: 2 })
})

test('a server that is away is asked once in half a minute, and what is known holds', async () => {
  using world = hookWorld()
  const { run, event, before, server, ratify } = world
  await ratify('claude', SCOPE)
  await run('claude', event('PostToolUse', PROPOSED))
  let heard = 0
  server.before = () => {
    heard++
    return new Response('', { status: 503 })
  }
  age(world, 1_001)
  expect(await run('claude', before('Read', { file_path: 'src/a' }))).toEqual(NOTHING)
  expect(await run('claude', before('Read', { file_path: 'src/a' }))).toEqual(NOTHING)
  expect(heard).toBe(1)
  server.stop()
  expect(await run('claude', before('Read', { file_path: 'infra/a' }))).toMatchObject({ code: 2 })
})

/** As if the server had last been asked that many milliseconds earlier. */
function age({ state }: ReturnType<typeof hookWorld>, ms: number): void {
  const place = { state, client: 'claude', sessionId: SESSION }
  const scope = findScope(place, Date.now())
  if (scope.is !== 'kept') throw new Error(`the scope is ${scope.is}`)
  keepScope(place, { ...scope.kept, checkedAt: scope.kept.checkedAt - ms })
}
