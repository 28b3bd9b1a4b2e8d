import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { hookWorld } from '../support/hook-world.ts'
import { runCommand } from '../support/run-command.ts'

const MAIN = join(import.meta.dir, '../../src/main.ts')
const world = hookWorld()
afterAll(() => world[Symbol.dispose]())
const data = join(world.home, 'data')

const beckon = (args: string[], more: Record<string, string> = {}) =>
  runCommand([process.execPath, MAIN, ...args], {
    cwd: world.project,
    env: { PATH: process.env.PATH, ...world.env, BECKON_DATA: data, ...more },
  })

const ONLY_PEOPLE = [
  ['setup', 'claude', '--undo', '--yes'],
  ['setup', '--yes', '--undo'],
  ['user', 'reset', '--email', 'ada@example.com'],
  ['key', 'create', '--name', 'x'],
  ['key', 'revoke', 'x'],
  ['policy', 'apply', 'policy.yaml'],
  ['policy', 'release'],
  ['restore', join(world.home, 'backup.zip'), '--yes'],
]
const FOR_ALL = [['setup', '--check'], ['key', 'list'], ['user', 'list'], ['version']]
const REFUSED = 'Only a person may run'

beforeAll(async () => {
  await beckon(['user', 'add', '--email', 'ada@example.com'])
})

for (const variable of ['CLAUDECODE', 'CODEX_THREAD_ID', 'GEMINI_CLI', 'COPILOT_CLI'])
  test(`with ${variable} around it, what only people may run is refused`, async () => {
    for (const args of ONLY_PEOPLE) {
      const { code, err } = await beckon(args, { [variable]: '1' })
      expect([args, code, err.includes(REFUSED)]).toEqual([args, 1, true])
    }
    for (const args of FOR_ALL)
      expect((await beckon(args, { [variable]: '1' })).err).not.toContain(REFUSED)
  })

test('the person is told', () => {
  const titles = world.server.notes.map(({ title }) => title)
  expect(titles).toContain('An agent was stopped: beckon setup --undo')
  expect(titles).toContain('An agent was stopped: beckon key create')
})

test('without a terminal it is refused while a scope holds, and not otherwise', async () => {
  const others = ONLY_PEOPLE.filter(([name]) => name !== 'setup')
  for (const args of others) expect((await beckon(args)).err).not.toContain(REFUSED)
  await world.ratify('claude', { allowedPaths: ['src'] })
  for (const args of ONLY_PEOPLE) expect((await beckon(args)).err).toContain(REFUSED)
  const own = join(world.home, 'typescript')
  const line = `${process.execPath} ${MAIN} key create --name own`
  const inTerminal = await runCommand(['script', '-qec', line, own], {
    cwd: world.project,
    env: { PATH: process.env.PATH, ...world.env, BECKON_DATA: data },
  })
  expect(inTerminal.out).not.toContain(REFUSED)
})
