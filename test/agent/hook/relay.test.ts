import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { hook as codexHook } from '../../../src/agent/clients/codex/hook.ts'
import claudeBash from '../../fixtures/clients/claude/PermissionRequest.Bash.interactive.json'
import claudePrint from '../../fixtures/clients/claude/PermissionRequest.Bash.print-mode.json'
import claudeOurs from '../../fixtures/clients/claude/PermissionRequest.mcp__svc__ask_user.interactive.json'
import codexOurs from '../../fixtures/clients/codex/PermissionRequest.mcp__svc__ask_user.json'
import codexBash from '../../fixtures/clients/codex/PreToolUse.Bash.json'
import { type RelayWorld, relayWorld } from '../../support/relay-world.ts'
import type { Ran } from '../../support/run-command.ts'

setDefaultTimeout(60_000)

let world: RelayWorld
beforeAll(async () => {
  world = await relayWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const SILENT: Ran = { code: 0, out: '', err: '' }

/** The one thing a client reads of PermissionRequest: JSON, exit code 0, nothing beside it. */
function decided(decision: object): Ran {
  const hookSpecificOutput = { hookEventName: 'PermissionRequest', decision }
  return { code: 0, out: JSON.stringify({ hookSpecificOutput }), err: '' }
}

const CODEX = {
  ...codexOurs,
  tool_name: codexBash.tool_name,
  tool_input: codexBash.tool_input,
}
const CLIENTS = [
  ['claude', claudeBash],
  ['codex', CODEX],
] as const

async function relayed(client: string, input: object) {
  const session_id = world.session()
  const hook = world.start(client, { ...input, session_id })
  const [question] = await world.asked(session_id)
  if (!question) throw new Error('nothing was asked')
  return { hook, question, session_id }
}

describe.each(CLIENTS)('the permission prompt of %s', (client, input) => {
  test('the prompt is allowed when it is approved on the phone', async () => {
    const { hook, question } = await relayed(client, input)
    await world.answer(question, 'yes')
    expect(await hook.done).toEqual(decided({ behavior: 'allow' }))
  })

  test('the prompt is denied when it is declined, with the note for the model', async () => {
    const { hook, question } = await relayed(client, input)
    await world.answer(question, 'no', { note: 'Use "staging"' })
    const message =
      'The person declined this from their phone. They say: "Use \\"staging\\"". Do not retry it and do not work around it; go on with what they want, or ask.'
    expect(await hook.done).toEqual(decided({ behavior: 'deny', message }))
  })

  test('the answer "stop" ends the turn where the client can be told', async () => {
    const { hook, question } = await relayed(client, input)
    await world.stop(question)
    const message =
      'The person wants you to stop. End your turn, and say what is done and what is not.'
    const interrupt = client === 'claude' ? { interrupt: true } : {}
    expect(await hook.done).toEqual(decided({ behavior: 'deny', message, ...interrupt }))
  })

  test('the prompt is left to the client when its question is withdrawn elsewhere', async () => {
    const { hook, question } = await relayed(client, input)
    const token = await world.house.token({ by: 'owner' })
    await fetch(`${world.house.url}/api/v1/questions/${question.id}/cancel`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    })
    expect(await hook.done).toEqual(SILENT)
  })

  test('shows the command, where it comes from, and until when it is waited for', async () => {
    const { hook, question } = await relayed(client, input)
    const { command } = input.tool_input
    expect(question).toMatchObject({
      type: 'confirm',
      question: 'Run this command?',
      agentName: client === 'claude' ? 'Claude Code - proj' : 'Codex - proj',
      machineId: 'm_test',
      detail: { action: command, toolName: 'Bash', toolTarget: command, pausedAware: true },
    })
    expect(question.detail.permissionMode).toBe(input.permission_mode)
    // The dialog of Claude Code stands beside the phone; Codex is locked until the hook is done.
    expect(question.detail.localSurfaceAvailable).toBe(client === 'codex' ? false : undefined)
    expect(question.waitEndsAt).toBeGreaterThan(question.createdAt + 50_000)
    await world.answer(question, 'yes')
    await hook.done
  })
})

test('without anybody at the terminal the phone always rings', async () => {
  const session_id = world.session()
  const env = { CLAUDE_CODE_SESSION_ATTENDED: '0' }
  const hook = world.start('claude', { ...claudePrint, session_id }, { env })
  const [question] = await world.asked(session_id)
  expect(question?.detail.localSurfaceAvailable).toBe(false)
  await world.answer(question, 'yes')
  expect(await hook.done).toEqual(decided({ behavior: 'allow' }))
})

const bash = (more: object) => ({
  ...claudeBash,
  tool_input: { command: 'npm test', description: 'Runs the tests', ...more },
})

test('what a call is given besides its command is shown by name, without secrets', async () => {
  const more = {
    dangerouslyDisableSandbox: true,
    timeout: 120_000,
    env: { A: 'ghp_'.padEnd(40, 'x') },
  }
  const { hook, question } = await relayed('claude', bash(more))
  expect(question.detail.action).toBe('npm test')
  expect(question.detail.toolSettings).toMatchObject([
    { name: 'dangerouslyDisableSandbox', value: 'true' },
    { name: 'timeout', value: '120000' },
    { name: 'env', value: expect.stringContaining('▇▇▇') },
  ])
  await world.answer(question, 'no')
  await hook.done
})

test('what a call is given besides its command stands with all the rest in the body, if it is too much for rows', async () => {
  for (const more of [
    { input: 'y'.repeat(400) },
    Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`a${i}`, i])),
  ]) {
    const { hook, question } = await relayed('claude', bash(more))
    expect(question.detail.toolSettings).toBeUndefined()
    const body = JSON.parse(question.detail.actionBody ?? '')
    expect(body).toMatchObject({ command: 'npm test', ...more })
    await world.answer(question, 'no')
    await hook.done
  }
})

test('what a call is given besides its command is nothing for a plain command, and what a change does not say for a change', async () => {
  const plain = await relayed('claude', bash({}))
  expect(plain.question.detail.toolSettings).toBeUndefined()
  await world.answer(plain.question, 'no')
  await plain.hook.done
  const tool_input = {
    file_path: '/home/u/proj/a',
    old_string: 'a',
    new_string: 'b',
    replace_all: true,
  }
  const edit = await relayed('claude', { ...claudeBash, tool_name: 'Edit', tool_input })
  expect(edit.question.detail.toolSettings).toEqual([{ name: 'replace_all', value: 'true' }])
  await world.answer(edit.question, 'no')
  await edit.hook.done
})

test('a yes for the whole session gives the client its own suggestion back, for the session alone', async () => {
  const suggestion = {
    type: 'addRules',
    rules: [{ toolName: 'Read', ruleContent: '//etc/**' }],
    behavior: 'allow',
    destination: 'localSettings',
  }
  const permission_suggestions = [suggestion, ...claudeBash.permission_suggestions]
  const { hook, question } = await relayed('claude', { ...claudeBash, permission_suggestions })
  expect(question.detail).toMatchObject({
    sessionToolAware: true,
    sessionAllows: ['Read(//etc/**)', 'Work in the folder /home/u/proj'],
  })
  await world.answer(question, 'yes', { forSession: true })
  const updatedPermissions = [
    { ...suggestion, destination: 'session' },
    ...claudeBash.permission_suggestions,
  ]
  expect(await hook.done).toEqual(decided({ behavior: 'allow', updatedPermissions }))
})

test('a yes for the whole session is not what a plain yes means', async () => {
  const { hook, question } = await relayed('claude', claudeBash)
  await world.answer(question, 'yes')
  expect(await hook.done).toEqual(decided({ behavior: 'allow' }))
})

test('a yes for the whole session is not offered to a client that cannot keep to it', async () => {
  const { permission_suggestions } = claudeBash
  const { hook, question } = await relayed('codex', { ...CODEX, permission_suggestions })
  expect(question.detail.sessionAllows).toBeUndefined()
  await world.answer(question, 'yes')
  await hook.done
})

test.each([
  ['claude', claudeOurs],
  ['codex', codexOurs],
])('our own tools ask for themselves: %s is left alone', async (client, input) => {
  const session_id = world.session()
  expect(await world.start(client, { ...input, session_id }).done).toEqual(SILENT)
  expect(await world.asked(session_id, 0)).toEqual([])
})

test('Codex is told nothing that its schema does not have', () => {
  const call = codexHook.parse(CODEX, {})
  const allow = { is: 'allow', updatedInput: { a: 1 }, updatedPermissions: [{}] } as const
  const deny = { is: 'deny', reason: 'R', interrupt: true } as const
  const outputs = [allow, deny].map((verdict) => codexHook.render(verdict, call).stdout)
  expect(outputs).toEqual([
    '{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"}}}',
    '{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"R"}}}',
  ])
})
