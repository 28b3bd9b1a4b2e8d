import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { addRule } from '../../../src/ask/policy/change-policy.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import claudeBash from '../../fixtures/clients/claude/PermissionRequest.Bash.interactive.json'
import { type RelayWorld, relayWorld } from '../../support/relay-world.ts'

setDefaultTimeout(60_000)

let world: RelayWorld
beforeAll(async () => {
  world = await relayWorld({ waitSeconds: 3 })
  const { app, workspaceId } = world.house
  const deps = { db: app.db, clock }
  const rule = (toolTarget: string, onTimeout: 'deny' | 'hand_off') =>
    addRule(deps, workspaceId, { match: { toolName: 'Bash', toolTarget }, set: { onTimeout } })
  await rule('make deny*', 'deny')
  await rule('make ask*', 'hand_off')
})
afterAll(() => world[Symbol.asyncDispose]())

function run(command: string) {
  const session_id = world.session()
  const input = { ...claudeBash, session_id, tool_input: { command } }
  return { session_id, hook: world.start('claude', input) }
}

test('a hook whose question nobody answers denies by the rule, and says that no person did', async () => {
  const { session_id, hook } = run('make deny')
  const [question] = await world.asked(session_id)
  const { out } = await hook.done
  expect(JSON.parse(out).hookSpecificOutput.decision).toEqual({
    behavior: 'deny',
    message:
      'Nobody answered in time. The rule for Bash on make deny* declines what nobody answers. No person declined it. Do not retry it or work around it; go on with what does not need it, and say at the end that nobody answered.',
  })
  expect(question && (await world.look(question))).toMatchObject({
    status: 'cancelled',
    endReason: 'Nobody answered in time; a rule declines it then.',
    value: undefined,
    answeredBy: undefined,
  })
})

test('a hook whose question nobody answers leaves it to the client, by the rule or without one', async () => {
  for (const command of ['make ask', 'make all']) {
    expect((await run(command).hook.done).out).toBe('')
  }
})

test('a hook whose question nobody answers is told a person’s answer that comes in time, whatever the rule', async () => {
  const { session_id, hook } = run('make deny')
  const [question] = await world.asked(session_id)
  await world.answer(question, 'yes')
  expect((await hook.done).out).toContain('"allow"')
})

test('a hook whose question nobody answers leaves it to the client when it was withdrawn', async () => {
  const { session_id, hook } = run('make deny')
  const [question] = await world.asked(session_id)
  const token = await world.house.token({ by: 'owner' })
  await fetch(`${world.house.url}/api/v1/questions/${question?.id}/cancel`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
  })
  expect((await hook.done).out).toBe('')
})
