import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { setupWorld } from '../agent/setup/setup-world.ts'
import { onTerminal } from '../support/on-terminal.ts'

// Whole processes on a busy machine.
setDefaultTimeout(60_000)

let world: Awaited<ReturnType<typeof setupWorld>>
beforeAll(async () => {
  world = await setupWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const RED = '\u001b[31m'

test('what went well is not shown in red, what went wrong has a red sign', async () => {
  using home = world.home()
  const env = { HOME: home.path, PATH: '/nonexistent' }
  const known = { ...env, BECKON_URL: world.url, BECKON_TOKEN: world.token }
  const done = await onTerminal(['setup', 'claude', '--yes'], known)
  expect([done.code, done.shown]).toEqual([0, expect.stringContaining('takes the token')])
  expect(done.shown).toContain('\u001b[32m✓')
  expect(done.shown).not.toContain(RED)
  home.put('.claude/settings.json', '{ broken')
  const broken = await onTerminal(['setup', 'claude', '--yes'], known)
  expect([broken.code, broken.shown]).toEqual([1, expect.stringContaining(`${RED}✗`)])
})
