import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { onTerminal } from '../../support/on-terminal.ts'
import { setupWorld } from './setup-world.ts'

// Whole processes on a busy machine.
setDefaultTimeout(60_000)

let world: Awaited<ReturnType<typeof setupWorld>>
beforeAll(async () => {
  world = await setupWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const CLIENT_FILE = '.config/beckon/client.json'
const SENTENCE = 'until --no-wait-next'

test('--wait-next stays until --no-wait-next, --check says it, and undo of one client ends it there', async () => {
  using home = world.home()
  const waits = () => JSON.parse(home.read(CLIENT_FILE)).waitNext
  const plain = await home.setup(['claude', 'qwen'])
  expect([waits(), plain.err.includes(SENTENCE)]).toEqual([undefined, false])
  // Codex has a queue, so nothing of it has to wait.
  const on = await home.setup(['claude', 'qwen', 'codex', '--wait-next'])
  expect([waits(), on.err]).toEqual([['claude', 'qwen'], expect.stringContaining(SENTENCE)])
  await home.setup(['claude'])
  expect(waits()).toEqual(['claude', 'qwen'])
  const checked = await home.setup(['claude', 'codex', '--check', '--json'])
  const { findings } = JSON.parse(checked.out)
  const matches = (findings as Array<{ client: string; said: string }>).filter(
    ({ said: sentence }) => sentence.includes(SENTENCE),
  )
  expect(matches.map(({ client }) => client)).toEqual(['Claude Code'])
  await home.setup(['qwen', '--undo', '--yes'])
  expect(waits()).toEqual(['claude'])
  await home.setup(['claude', '--no-wait-next'])
  expect(waits()).toBeUndefined()
})

test.each([
  ['y', ['qwen']],
  ['', undefined],
] as const)(
  'at a terminal each client that can wait is asked about, and “%s” is an answer',
  async (typed, waits) => {
    using home = world.home()
    const machine = { HOME: home.path, PATH: '/nonexistent' }
    const env = { ...machine, BECKON_URL: world.url, BECKON_TOKEN: world.token }
    const run = (args: string[], replies: Array<[string, string]>) =>
      onTerminal(['setup', ...args], env, { cwd: home.path, replies })
    const file = () => JSON.parse(home.read(CLIENT_FILE)).waitNext
    const first = await run(
      ['claude', 'qwen', 'codex'],
      [
        ['Write them?', 'y'],
        ['Shall Claude Code wait for you?', 'n'],
        ['Shall Qwen Code wait for you?', typed],
      ],
    )
    expect([first.code, file(), first.output.includes('Shall Codex')]).toEqual([0, waits, false])
    // Nothing changes, so nothing is asked, and what was said stays.
    const second = await run(['claude', 'qwen'], [])
    expect([second.code, file(), second.output.includes('Shall')]).toEqual([0, waits, false])
  },
)

test('both at once, and clients without a waiting hook alone, are refused', async () => {
  using home = world.home()
  const both = await home.setup(['claude', '--wait-next', '--no-wait-next'])
  expect([both.code, both.err]).toEqual([2, expect.stringContaining('cannot be given together')])
  const none = await home.setup(['codex', '--wait-next'])
  expect([none.code, none.err]).toEqual([2, expect.stringContaining('reaches')])
})
