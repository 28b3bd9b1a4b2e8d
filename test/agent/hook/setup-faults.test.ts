import { expect, test } from 'bun:test'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type HookWorld, hookWorld } from '../../support/hook-world.ts'

const NOTHING = { code: 0, out: '', err: '' }
const FILE = '.config/beckon/client.json'

const spoil = (text: string) => (world: HookWorld) => {
  writeFileSync(join(world.home, FILE), text)
  return {}
}
const without = (env: Record<string, string>) => (world: HookWorld) => {
  rmSync(join(world.home, FILE))
  return env
}

// Each way in which a machine that was set up has no server to use, and what names it.
test.each([
  ['client.json is cut', spoil('{"url": "http'), 'is not valid JSON'],
  ['client.json has no token', spoil('{"url": "http://localhost:1", "machineId": "m"}'), 'lacks'],
  ['an address is none', without({ BECKON_URL: 'beckon' }), 'BECKON_URL is not the address'],
  ['a token is missing', without({ BECKON_URL: 'http://localhost:1' }), 'there is no token'],
  ['an address is missing', without({ BECKON_TOKEN: 'bk_x' }), 'BECKON_URL is not'],
  [
    'the file of a token is missing',
    without({ BECKON_URL: 'http://localhost:1', BECKON_TOKEN_FILE: '/nowhere/token' }),
    'BECKON_TOKEN_FILE names /nowhere/token, which does not exist',
  ],
] as const)('a hook says in the client that its setup is wrong: %s', async (_, fault, words) => {
  using world = hookWorld()
  const { run, before, event } = world
  const env = fault(world)
  const result = await run('claude', event('SessionStart', { source: 'startup' }), { env })
  expect(result).toMatchObject({ code: 0, out: expect.stringContaining(words) })
  const write = before('Write', { file_path: `${world.project}/a.txt`, content: '1' })
  const decision = await run('claude', write, { env })
  expect(decision.out).toContain('"permissionDecision":"ask"')
  expect(decision.out).toContain(words)
  const alone = await run('claude', { ...write, permission_mode: 'bypassPermissions' }, { env })
  expect(alone).toMatchObject({ code: 2, err: expect.stringContaining(words) })
  const codex = await run('codex', before('Bash', { command: 'rm a.txt' }), { env })
  expect(codex).toMatchObject({ code: 2, err: expect.stringContaining(words) })
  const read = before('Read', { file_path: `${world.project}/a.txt` })
  expect(await run('claude', read, { env })).toEqual(NOTHING)
})

test('where nothing was set up, a hook is silent', async () => {
  using world = hookWorld()
  rmSync(join(world.home, FILE))
  const write = world.before('Write', { file_path: `${world.project}/a.txt`, content: '1' })
  expect(await world.run('claude', write)).toEqual(NOTHING)
  expect(await world.run('claude', world.event('SessionStart'))).toEqual(NOTHING)
})

test('an entry that names an unknown client refuses tool calls, in words the client reads', async () => {
  using world = hookWorld()
  const write = world.before('Write', { file_path: `${world.project}/a.txt`, content: '1' })
  const result = await world.run('claud', write)
  expect(result).toMatchObject({ code: 2, err: expect.stringContaining('the client "claud"') })
  expect(result.out).toContain('"permissionDecision":"deny"')
  expect(await world.run('claud', world.event('Stop'))).toEqual(NOTHING)
})

test('what Kubernetes sets for Services does not disarm a hook', async () => {
  using world = hookWorld()
  await world.ratify('claude', { allowedPaths: ['src/**'], offLimitsPaths: ['infra/**'] })
  const env = { BECKON_SERVICE_HOST: '10.96.12.7', BECKON_PORT: 'tcp://10.96.12.7:80' }
  const write = world.before('Write', { file_path: `${world.project}/infra/a.tf`, content: '1' })
  expect(await world.run('claude', write, { env })).toMatchObject({ code: 2 })
})
