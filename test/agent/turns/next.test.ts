import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Person } from '../../../src/ask/accounts/model/person.ts'
import { listNotifications } from '../../../src/ask/notifications/model/store.ts'
import { setPolicy } from '../../../src/ask/policy/change-policy.ts'
import { createPolicies } from '../../../src/ask/policy/model/store.ts'
import { readSessions } from '../../../src/ask/presence/read-sessions.ts'
import { instructSession } from '../../../src/ask/turns/instruct.ts'
import { listInstructions } from '../../../src/ask/turns/model/instruction-store.ts'
import { findTurn, setMayHold } from '../../../src/ask/turns/model/turn-store.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import claudeEnd from '../../fixtures/turns/claude-code/session-end.json'
import claudeStop from '../../fixtures/turns/claude-code/stop.interactive.json'
import claudePrompt from '../../fixtures/turns/claude-code/user-prompt-submit.json'
import copilotStop from '../../fixtures/turns/copilot-cli/agent-stop.json'
import copilotPrompt from '../../fixtures/turns/copilot-cli/user-prompt-submitted.continuation.json'
import geminiStop from '../../fixtures/turns/gemini-cli/after-agent.json'
import geminiPrompt from '../../fixtures/turns/gemini-cli/before-agent.continuation.json'
import geminiEnd from '../../fixtures/turns/gemini-cli/session-end.json'
import opencodeIdle from '../../fixtures/turns/opencode/session-idle.json'
import opencodeStatus from '../../fixtures/turns/opencode/session-status.json'
import qwenStop from '../../fixtures/turns/qwen-code/stop.json'
import qwenPrompt from '../../fixtures/turns/qwen-code/user-prompt-submit.json'
import { PROGRAM } from '../../support/program.ts'
import { relayWorld } from '../../support/relay-world.ts'
import { until } from '../../support/until.ts'

type Client = 'claude' | 'copilot' | 'gemini' | 'qwen'

async function turnWorld(holds: Client[] = []) {
  const world = await relayWorld()
  const { workspaceId, app } = world.house
  const { db } = app
  const deps = { db, clock, policies: createPolicies({ db, clock }) }
  await setPolicy(deps, workspaceId, { turnMs: 1 })
  for (const client of holds) await db.write((tx) => setMayHold(tx, { workspaceId, client }, true))
  const person = { id: 'per_ann', name: 'Ann', email: '', workspaceId, role: 'owner' } as Person
  const session = async () => {
    const [seen] = await readSessions(deps, { workspaceId })
    return seen?.session
  }
  const turn = async () => {
    const seen = await session()
    return seen && findTurn(db.read, workspaceId, seen.id)
  }
  return {
    ...world,
    turn,
    event: (client: Client, input: object) =>
      world.start(client, { cwd: join(world.home, 'proj'), ...input }),
    inState: (state: string) => until(async () => (await turn())?.state === state),
    held: () => until(async () => (await turn())?.heldUntil !== undefined),
    say: async (text: string) =>
      instructSession(deps, person, (await session())?.id ?? 'ses_none', { text }),
    setTurnMs: (turnMs: number) => setPolicy(deps, workspaceId, { turnMs }),
    instructions: async () => {
      const id = (await session())?.id
      return id ? await listInstructions(db.read, { workspaceId }, id, 10) : []
    },
    titles: async () => {
      const page = { before: undefined, limit: 10 }
      return (await listNotifications(db.read, { workspaceId }, page)).map(({ title }) => title)
    },
  }
}

test('the end of a turn of Claude Code is told, and a session that ends in one has failed', async () => {
  await using world = await turnWorld()
  const session_id = world.session()
  await world.event('claude', { ...claudePrompt, session_id, cwd: join(world.home, 'proj') }).done
  await world.inState('working')
  const stop = await world.event('claude', {
    ...claudeStop,
    session_id,
    cwd: join(world.home, 'proj'),
  }).done
  expect(stop.out).toBe('')
  await world.inState('finished')
  await until(async () => (await world.titles()).length === 1)
  expect(await world.titles()).toEqual(['Claude Code finished in proj'])
  await world.event('claude', { ...claudePrompt, session_id }).done
  await world.inState('working')
  await world.event('claude', { ...claudeEnd, session_id }).done
  await world.inState('failed')
  await until(async () => (await world.titles()).length === 2)
  expect((await world.titles()).some((title) => title.includes('failed'))).toBe(true)
}, 120_000)

test('a client without a terminal that ends with its turn is told, once it has stood still', async () => {
  await using world = await turnWorld()
  const own = { session_id: world.session(), cwd: join(world.home, 'proj') }
  await world.setTurnMs(2_000)
  await world.event('gemini', { ...geminiPrompt, ...own }).done
  await world.inState('working')
  await Bun.sleep(2_100)
  await world.event('gemini', { ...geminiStop, ...own }).done
  await world.event('gemini', { ...geminiEnd, ...own }).done
  await until(async () => (await world.titles()).length === 1)
  expect(await world.titles()).toEqual(['Gemini CLI finished in proj'])
  await world.inState('over')
}, 60_000)

const GOES_ON: Array<
  [client: Client, prompt: object, stop: object, key: string, out: (text: string) => object]
> = [
  [
    'claude',
    claudePrompt,
    claudeStop,
    'session_id',
    (text) => ({
      hookSpecificOutput: {
        hookEventName: 'Stop',
        additionalContext: expect.stringContaining(text),
      },
    }),
  ],
  ['copilot', copilotPrompt, copilotStop, 'sessionId', (reason) => ({ decision: 'block', reason })],
  ['gemini', geminiPrompt, geminiStop, 'session_id', (reason) => ({ decision: 'deny', reason })],
  ['qwen', qwenPrompt, qwenStop, 'session_id', (reason) => ({ decision: 'block', reason })],
]
for (const [client, prompt, stop, key, out] of GOES_ON) {
  test(`${client} waits where it may, and goes on with what a person says`, async () => {
    await using world = await turnWorld([client])
    const own = { [key]: world.session(), cwd: join(world.home, 'proj') }
    const events = client === 'copilot' ? ['userPromptSubmitted', 'agentStop'] : []
    const run = (input: object, at: number) =>
      world.start(events[at] ? `${client} ${events[at]}` : client, { ...input, ...own })
    await run(prompt, 0).done
    const hook = run(stop, 1)
    await world.held()
    const { id } = await world.say('now the docs')
    const text = 'From Ann on the phone: now the docs'
    expect(JSON.parse((await hook.done).out)).toEqual(out(text))
    expect((await world.instructions()).map((one) => one.state)).toEqual(['handed_over'])
    await run({ ...prompt, prompt: text }, 0).done
    await until(async () => (await world.instructions())[0]?.state === 'taken')
    expect((await world.instructions())[0]?.id).toBe(id)
    await world.inState('working')
  }, 180_000)
}

test('opencode goes on beside its idle session, and its next turn shows that it began', async () => {
  await using world = await turnWorld()
  const proj = join(world.home, 'proj')
  const session = world.session()
  const run = ({ type, properties }: { type: string; properties: object }) =>
    world.start('opencode', {
      ...{ event: type, cwd: proj, roots: [proj] },
      properties: { ...properties, sessionID: session },
    })
  await run(opencodeStatus).done
  await world.inState('working')
  const hook = run(opencodeIdle)
  await world.held()
  await world.say('now the docs')
  expect(JSON.parse((await hook.done).out)).toMatchObject({
    prompt: 'From Ann on the phone: now the docs',
  })
  await run(opencodeStatus).done
  await until(async () => (await world.instructions())[0]?.state === 'taken')
}, 120_000)

test('a prompt at the terminal lets a waiting hook go silently', async () => {
  await using world = await turnWorld(['claude'])
  const own = { session_id: world.session(), cwd: join(world.home, 'proj') }
  await world.start('claude', { ...claudePrompt, ...own }).done
  const hook = world.start('claude', { ...claudeStop, ...own })
  await world.held()
  await world.start('claude', { ...claudePrompt, ...own, prompt: 'typed at the desk' }).done
  expect(await hook.done).toEqual({ code: 0, out: '', err: '' })
  expect(await world.instructions()).toEqual([])
}, 120_000)

// A client that starts a hook, and is killed before it says anything more.
const CLIENT = `import subprocess, sys
subprocess.run(sys.argv[1:], stdin=open('input'))
sys.stdin.read()`

test('a client that is killed in its turn has failed, and is told although its terminal is not known', async () => {
  await using world = await turnWorld()
  const { home } = world
  const own = { session_id: world.session(), cwd: join(home, 'proj') }
  await Bun.write(join(home, 'input'), JSON.stringify({ ...claudePrompt, ...own }))
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('BECKON_'))
  const machine = { HOME: home, XDG_CONFIG_HOME: '', XDG_STATE_HOME: '' }
  const client = Bun.spawn(['python3', '-c', CLIENT, ...PROGRAM, 'hook', 'claude'], {
    env: { ...Object.fromEntries(inherited), ...machine },
    cwd: home,
    stdin: 'pipe',
  })
  await world.inState('working')
  client.kill('SIGKILL')
  await world.inState('failed')
  await until(async () => (await world.titles()).length === 1)
  expect(await world.titles()).toEqual(['Claude Code failed in proj'])
}, 60_000)

test('the process that reports turns ends when it is told to', async () => {
  await using world = await turnWorld()
  const own = { session_id: world.session(), cwd: join(world.home, 'proj') }
  await world.start('claude', { ...claudePrompt, ...own }).done
  await world.inState('working')
  const lock = join(world.home, '.local/state/beckon/turns/watcher')
  const { pid } = await Bun.file(lock).json()
  process.kill(pid, 'SIGTERM')
  await until(() => !existsSync(`/proc/${pid}`) && !existsSync(lock))
}, 60_000)

test('the orphan of a client that was killed does not wait', async () => {
  await using world = await turnWorld(['claude'])
  const own = { session_id: world.session(), cwd: join(world.home, 'proj') }
  await world.start('claude', { ...claudePrompt, ...own }).done
  const hook = world.start('claude', { ...claudeStop, ...own }, { below: true })
  await world.held()
  hook.kill('SIGKILL')
  await until(async () => (await world.turn())?.letGo === 'ended')
}, 120_000)
