import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { type RelayWorld, relayWorld } from '../../support/relay-world.ts'
import type { Ran } from '../../support/run-command.ts'
import { fixture } from './fixture.ts'

setDefaultTimeout(60_000)

let world: RelayWorld
beforeAll(async () => {
  world = await relayWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

type Json = Record<string, unknown>

function printed(output: object): Ran {
  return { code: 0, out: JSON.stringify(output), err: '' }
}

function recorded(file: string, more: Json): Json {
  return { ...JSON.parse(fixture(file)), ...more }
}

/** An event of OpenCode as its plugin passes it on. */
function openCode(type: string, sessionID: string): Json {
  const { properties } = JSON.parse(fixture(`opencode/event.${type}`))
  const own = { sessionID, tool: { callID: `call-of-${sessionID}` } }
  return { event: type, cwd: '/p', roots: ['/p'], properties: { ...properties, ...own } }
}

const qwen = 'from-documents/qwen/PermissionRequest.run_shell_command'
const claudeShape = (decision: object) => ({
  hookSpecificOutput: { hookEventName: 'PermissionRequest', decision },
})
const PROMPTS: Array<
  [name: string, input: (id: string) => Json, yes: object, no: (why: unknown) => object]
> = [
  [
    'copilot',
    (sessionId) => recorded('copilot-cli/permissionRequest.bash', { sessionId }),
    { behavior: 'allow' },
    (message) => ({ behavior: 'deny', message }),
  ],
  [
    'qwen',
    (session_id) => recorded(qwen, { session_id }),
    claudeShape({ behavior: 'allow' }),
    (message) => claudeShape({ behavior: 'deny', message }),
  ],
  [
    'opencode',
    (id) => openCode('permission.asked', id),
    { decision: 'allow' },
    (reason) => ({ decision: 'deny', reason }),
  ],
]

test.each(PROMPTS)('a prompt of %s is answered from the phone', async (name, input, yes, no) => {
  const [first, second] = [world.session(), world.session()]
  const allowed = world.start(name, input(first))
  const [question] = await world.asked(first)
  expect(JSON.stringify(question)).toContain('echo hello > made.txt')
  await world.answer(question, 'yes')
  expect(await allowed.done).toEqual(printed(yes))
  const denied = world.start(name, input(second))
  await world.answer((await world.asked(second))[0], 'no', { note: 'not now' })
  const { code, out, err } = await denied.done
  expect([code, err]).toEqual([0, ''])
  expect(JSON.parse(out)).toEqual(no(expect.stringContaining('not now')))
})

test('a question of OpenCode is answered from the phone', async () => {
  const id = world.session()
  const hook = world.start('opencode', openCode('question.asked', id))
  const [question] = await world.asked(id)
  expect(question?.question).toBe('Which database?')
  await world.answer(question, 'Postgres')
  expect(await hook.done).toEqual(printed({ decision: 'allow', answers: [['Postgres']] }))
})

test('who was not asked for its prompts keeps them', async () => {
  const sessionId = world.session()
  const input = recorded('copilot-cli-pascal/PermissionRequest.bash', { sessionId })
  expect(await world.start('claude', input).done).toEqual({ code: 0, out: '', err: '' })
  await expect(world.asked(sessionId, 0)).resolves.toEqual([])
})
