import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeClientFile } from '../../../src/platform/config/client-file.ts'
import claudeStop from '../../fixtures/turns/claude-code/stop.interactive.json'
import claudePrompt from '../../fixtures/turns/claude-code/user-prompt-submit.json'
import qwenStop from '../../fixtures/turns/qwen-code/stop.json'
import qwenPrompt from '../../fixtures/turns/qwen-code/user-prompt-submit.json'
import { agentHouse } from '../../support/agent-house.ts'
import { PROGRAM } from '../../support/program.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { until } from '../../support/until.ts'

type Instruction = { text: string; state: string }
const CLIENTS = {
  claude: { prompt: claudePrompt, stop: claudeStop },
  qwen: { prompt: qwenPrompt, stop: qwenStop },
}

/** The real server and hooks as processes, and a session whose next end of a turn is held. */
async function heldWorld(client: keyof typeof CLIENTS, more: { waitNext?: string[] } = {}) {
  const house = await agentHouse()
  const folder = tempFolder()
  const home = folder.path
  const cwd = join(home, 'proj')
  mkdirSync(cwd)
  const file = {
    url: house.url,
    token: house.token,
    machineId: 'm_1',
    hookWaitSeconds: 30,
    ...more,
  }
  writeClientFile(file, { HOME: home })
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('BECKON_'))
  const machine = { HOME: home, XDG_CONFIG_HOME: '', XDG_STATE_HOME: '' }
  const env = { ...Object.fromEntries(inherited), ...machine } as Record<string, string>
  const { prompt, stop } = CLIENTS[client]
  const own = { session_id: 's1', cwd }

  async function hook(input: object): Promise<string> {
    const stdin = new Blob([JSON.stringify({ ...input, ...own })])
    const child = Bun.spawn([...PROGRAM, 'hook', client], { env, cwd, stdin, stdout: 'pipe' })
    return await new Response(child.stdout).text()
  }
  async function session() {
    const { json } = await house.person('/sessions')
    const [one] = json.sessions as Array<{ id: string; status: string }>
    return one
  }
  const list = async () => {
    const { json } = await house.person(`/sessions/${(await session())?.id}/instructions`)
    return json.instructions as Instruction[]
  }
  const watcher = join(home, '.local/state/beckon/turns/watcher')

  return {
    ...{ house, home, cwd, env, list },
    /** A turn that begins, with its prompt. */
    began: (text = prompt.prompt) => hook({ ...prompt, prompt: text }),
    /** The end of a turn: what its hook prints once it lets go. */
    ended: () => hook(stop),
    input: () => ({ ...stop, ...own }),
    /** A server on which hooks of this client may wait. */
    async open() {
      const server = await house.start()
      await house.setPolicy({ turnMs: 1 })
      await hook(prompt)
      await hook(stop)
      await until(async () => (await session())?.status === 'finished')
      const id = (await session())?.id
      await house.form(`/live/${id}/next/settings`, { replies: 'Continue', holds: 'on' })
      await hook(prompt)
      await until(async () => (await session())?.status === 'active')
      return server
    },
    held: () => until(async () => (await session())?.status === 'finished'),
    say: async (text: string) =>
      (await house.person(`/sessions/${(await session())?.id}/instructions`, { text })).status,
    async [Symbol.asyncDispose]() {
      if (existsSync(watcher)) process.kill((await Bun.file(watcher).json()).pid, 'SIGKILL')
      await house[Symbol.asyncDispose]()
      folder[Symbol.dispose]()
    },
  }
}

test('a server that restarts while a hook waits: the words of then are delivered once', async () => {
  await using world = await heldWorld('claude')
  const first = await world.open()
  const hook = world.ended()
  await world.held()
  await first.end('SIGKILL')
  await using _second = await world.house.start()
  expect(await world.say('now the docs')).toBe(201)
  expect(await hook).toContain('From Ada on the phone: now the docs')
  expect((await world.list()).map(({ state }) => state)).toEqual(['handed_over'])
})

test('words while the server ends are delivered or wait, and are never lost', async () => {
  await using world = await heldWorld('claude')
  const first = await world.open()
  const hook = world.ended()
  await world.held()
  const sending = world.say('now the docs').catch(() => 0)
  await first.end('SIGTERM')
  await using _second = await world.house.start()
  const status = await sending
  // The connection of before is gone.
  await world.list().catch(() => [])
  if (status !== 201) await world.say('now the docs')
  expect(await hook).toContain('From Ada on the phone: now the docs')
  expect(await world.list()).toHaveLength(1)
})

test('words a second before Qwen would end its hook arrive; those after it wait for its next turn', async () => {
  await using world = await heldWorld('qwen')
  await using _server = await world.open()
  const startedAt = performance.now()
  const hook = world.ended()
  await world.held()
  // The hook lets go 5 seconds before its limit of 50.
  await Bun.sleep(43_500 - (performance.now() - startedAt))
  await world.say('in time')
  expect(JSON.parse(await hook)).toMatchObject({ decision: 'block' })
  await world.began('From Ada on the phone: in time')
  await until(async () => (await world.list())[0]?.state === 'taken')
  const silent = await world.ended()
  expect(silent).toBe('')
  await world.say('too late')
  expect((await world.list())[0]).toMatchObject({ text: 'too late', state: 'waiting' })
  await world.began()
  expect(JSON.parse(await world.ended()).reason).toBe('From Ada on the phone: too late')
}, 180_000)

test('a key and the phone at once: one of them is heard at once, and the words are never lost', async () => {
  // A house each: words that a key overtook may be given back a moment later, and wait.
  for (const text of ['one', 'two', 'three']) {
    await using world = await heldWorld('claude')
    await using _server = await world.open()
    const hook = world.ended()
    await world.held()
    const [status] = await Promise.all([world.say(text), world.began()])
    expect(status).toBe(201)
    const out = await hook
    if (out === '') {
      await until(async () => (await world.list())[0]?.state === 'waiting')
      expect(await world.ended()).toContain(`on the phone: ${text}`)
    } else expect([out.includes(text), (await world.list())[0]?.text]).toEqual([true, text])
  }
}, 120_000)

test('where no hook may wait, words wait for the end of the next turn, and it lasts no longer for them', async () => {
  await using world = await heldWorld('qwen')
  await using _server = await world.house.start()
  await world.house.setPolicy({ turnMs: 1 })
  await world.began()
  expect(await world.ended()).toBe('')
  await world.held()
  await world.say('now the docs')
  await world.began()
  expect(JSON.parse(await world.ended()).reason).toBe('From Ada on the phone: now the docs')
  await world.began('From Ada on the phone: now the docs')
  await until(async () => (await world.list())[0]?.state === 'taken')
  expect(await world.ended()).toBe('')
})

test('the very first turn waits where setup was told so', async () => {
  await using world = await heldWorld('claude', { waitNext: ['claude'] })
  await using _server = await world.house.start()
  await world.house.setPolicy({ turnMs: 1 })
  await world.began()
  const hook = world.ended()
  await world.held()
  await world.say('now the docs')
  expect(await hook).toContain('From Ada on the phone: now the docs')
})

test('the longest text with lines, markup and marks of direction reaches the client as one string', async () => {
  await using world = await heldWorld('claude')
  await using _server = await world.open()
  const hook = world.ended()
  await world.held()
  const text = `a\u202Eb <b>&amp;</b> "$(id)"\n${'x'.repeat(8_000)}`.slice(0, 8_000)
  await world.say(text)
  const { hookSpecificOutput } = JSON.parse(await hook)
  const context = hookSpecificOutput.additionalContext as string
  // Not in the output of a failure: it is long.
  const has = (part: string) => context.includes(part)
  expect([has(' <b>&amp;</b> "$(id)"\nxxx'), has('x'.repeat(7_900)), has('\u202E')]).toEqual([
    true,
    true,
    false,
  ])
}, 60_000)

// A program that reads its terminal, and a hook below it.
const AT_DESK = `touch -a -d '10 minutes ago' "$(tty)"
{ "$@" <input >output; echo >over; } & exec cat`

test('the first key at the terminal lets a waiting hook go, without a word', async () => {
  await using world = await heldWorld('claude')
  await using _server = await world.open()
  const { cwd, env } = world
  writeFileSync(join(cwd, 'input'), JSON.stringify(world.input()))
  const command = ['sh', '-c', AT_DESK, 'desk', ...PROGRAM, 'hook', 'claude']
  const desk = Bun.spawn(command, { env, cwd, terminal: { cols: 80, rows: 24 } })
  await world.held()
  const isOver = () => existsSync(join(cwd, 'over'))
  expect(isOver()).toBe(false)
  desk.terminal?.write('f\n')
  await until(isOver)
  expect(readFileSync(join(cwd, 'output'), 'utf8')).toBe('')
  await world.say('now the docs')
  expect(await world.list()).toMatchObject([{ state: 'waiting' }])
  desk.kill('SIGKILL')
  await desk.exited
  desk.terminal?.close()
})
