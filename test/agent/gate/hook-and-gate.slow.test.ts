import { expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { beckon } from '../../support/beckon.ts'
import { type GateHouse, gateHouse } from '../../support/gate-house.ts'
import { textOf } from '../../support/gate-process.ts'

setDefaultTimeout(60_000)

const SESSION = '0b7bef46-da65-4242-81f1-aa383b8f9463'
const CALL = { tool_name: 'mcp__toy__echo', tool_input: { message: 'once', to: ['a', 1.5] } }

/** What Claude Code tells its hook about a call. */
function hook({ home, env }: GateHouse, name: string, more: object) {
  const project = join(home, 'shop')
  const event = { session_id: SESSION, cwd: project, hook_event_name: name }
  return beckon(['hook', 'claude'], {
    env: { ...env, CLAUDE_PROJECT_DIR: project },
    stdin: JSON.stringify({ ...event, permission_mode: 'default', ...more }),
    cwd: project,
  })
}

test('a call that a person allowed at the hook of its client is not asked about at the gate', async () => {
  await using house = await gateHouse()
  const gate = await house.start({ env: { CLAUDE_CODE_SESSION_ID: SESSION } })
  const meta = { _meta: { 'claudecode/toolUseId': 'toolu_1' } }
  await hook(house, 'SessionStart', { source: 'startup' })
  await hook(house, 'PreToolUse', { ...CALL, tool_use_id: 'toolu_1' })
  const prompt = hook(house, 'PermissionRequest', CALL)
  const [atHook] = await house.asked()
  await house.answer(atHook, 'yes')
  expect((await prompt).out).toContain('allow')
  const result = await gate.call('echo', CALL.tool_input, meta)
  expect(textOf(result)).toBe('once')
  expect(house.ran()).toEqual([['echo', CALL.tool_input]])
  expect(await house.open()).toEqual([])
  // The yes is used: the same call again asks.
  const again = gate.call('echo', CALL.tool_input, {
    _meta: { 'claudecode/toolUseId': 'toolu_2' },
  })
  const [atGate] = await house.asked()
  expect(atGate?.question).toBe('Use echo of toy?')
  await house.answer(atGate, 'no')
  expect(textOf(await again)).toContain('Nothing was run')
  expect(house.ran()).toHaveLength(1)
})
