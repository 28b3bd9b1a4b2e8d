import { expect, test } from 'bun:test'
import { isAlone } from '../../../src/agent/clients/copilot/hook.ts'
import copilotEdit from '../../fixtures/clients/copilot-cli/notification.edit.json'
import copilotRun from '../../fixtures/clients/copilot-cli/notification.json'
import copilotAsks from '../../fixtures/clients/copilot-cli/permissionRequest.bash.json'
import copilotOurs from '../../fixtures/clients/copilot-cli/permissionRequest.beckon_ask_user.json'
import copilotOther from '../../fixtures/clients/copilot-cli/permissionRequest.svc_ask_user.json'
import geminiEdit from '../../fixtures/clients/gemini-cli/Notification.ToolPermission.edit.json'
import geminiRun from '../../fixtures/clients/gemini-cli/Notification.ToolPermission.json'
import { hookWorld, NOTHING } from '../../support/hook-world.ts'

type Prompt = [client: string, input: Record<string, unknown>, ask: Record<string, unknown>]

const RUN = {
  question: 'Run this command?',
  action: 'echo hello > made.txt',
  toolTarget: 'echo hello > made.txt',
}
const PROMPTS: Record<string, Prompt> = {
  'Copilot, a command': ['copilot', copilotRun, { ...RUN, toolName: 'bash' }],
  'Copilot, an edit': [
    'copilot',
    copilotEdit,
    {
      question: 'Change /home/u/proj/w2.txt?',
      action: 'edit /home/u/proj/w2.txt',
      toolName: 'edit',
    },
  ],
  'Copilot, words of which nothing is known': [
    'copilot',
    { ...copilotRun, message: 'Fetch https://example.com/\u202e' },
    { question: 'Use Fetch https://example.com/?' },
  ],
  'Gemini, a command': ['gemini', geminiRun, { ...RUN, toolName: 'run_shell_command' }],
  'Gemini, an edit': [
    'gemini',
    geminiEdit,
    { question: 'Change /home/u/proj/w.txt?', actionBody: expect.stringContaining('+hello') },
  ],
  'Gemini, a tool of a server': [
    'gemini',
    {
      ...geminiRun,
      details: { type: 'mcp', serverName: 'db', toolName: 'drop', title: 'Confirm' },
    },
    { question: 'Use db/drop?', toolName: 'db/drop' },
  ],
  'Gemini, details of which nothing is known': [
    'gemini',
    { ...geminiRun, details: { type: 'info', title: 'Confirm Web Fetch', prompt: 'GET x' } },
    { question: 'Use Confirm Web Fetch?', action: 'Confirm Web Fetch GET x' },
  ],
}

for (const [what, [client, input, ask]] of Object.entries(PROMPTS)) {
  test(`${what}: the server hears what waits at the terminal, the client hears nothing`, async () => {
    using world = hookWorld()
    expect(await world.run(client, { ...input, cwd: world.project })).toEqual(NOTHING)
    expect(world.server.asked).toEqual([
      expect.objectContaining({
        event: 'waiting',
        sessionId: input.sessionId ?? input.session_id,
        machineId: 'm_test',
        ask: expect.objectContaining(ask),
      }),
    ])
    expect(world.server.asked[0]).not.toHaveProperty('interactive')
  })
}

test('two hooks that are told of one prompt name it alike, and the next prompt has another name', async () => {
  using world = hookWorld()
  const again = { ...copilotRun, timestamp: copilotRun.timestamp + 5_000 }
  for (const input of [copilotRun, copilotRun, again]) await world.run('copilot', input)
  const [first, second, next] = world.server.asked.map(({ ask }) => ask?.requestId)
  expect(first).toBeString()
  expect(second).toBe(first)
  expect(next).not.toBe(first)
})

test('a secret in a command does not leave the machine', async () => {
  using world = hookWorld()
  const key = 'AKIAIOSFODNN7EXAMPLE'
  await world.run('copilot', { ...copilotRun, message: `Run command: deploy --key ${key}` })
  expect(world.server.asked[0]?.ask?.action).toContain('deploy --key')
  expect(JSON.stringify(world.server.asked)).not.toContain(key)
})

test('a server that is away, or that knows no such report, stops no prompt', async () => {
  using world = hookWorld()
  world.server.before = () => new Response('{}', { status: 422 })
  expect(await world.run('copilot', copilotRun)).toEqual(NOTHING)
  world.server.stop()
  expect(await world.run('gemini', geminiRun)).toEqual(NOTHING)
})

test('notifications other than of a waiting prompt tell nobody anything', async () => {
  using world = hookWorld()
  await world.run('copilot', { ...copilotRun, notification_type: 'agent_idle' })
  await world.run('gemini', { ...geminiRun, notification_type: 'Other' })
  expect(world.server.asked).toEqual([])
})

const ALLOWED = '{"behavior":"allow"}'

test('Copilot: our own tools need no prompt, and no other tool is let through', async () => {
  using world = hookWorld()
  const own = { args: ['permissionRequest', '--own'] }
  expect(await world.run('copilot', copilotOurs, own)).toEqual({ ...NOTHING, out: ALLOWED })
  for (const toolName of [
    ...['svc/ask_user', 'evil-beckon/ask_user', 'beckon/ask_user/x', 'beckon/delete_all', 'bash'],
    ...['beckon/ask_user\nbash', 'Beckon/ask_user', 'beckon-ask_user', ''],
  ]) {
    expect([toolName, await world.run('copilot', { ...copilotOther, toolName }, own)]).toEqual([
      toolName,
      NOTHING,
    ])
  }
  expect(await world.run('copilot', copilotAsks, own)).toEqual(NOTHING)
  expect(world.server.asked).toEqual([])
})

const LAUNCHED: Array<[what: string, lines: string[][], alone: boolean]> = [
  [
    'with -p',
    [
      ['/bin/bash', '-c', 'beckon hook copilot'],
      ['/opt/copilot', '-p', 'go'],
    ],
    true,
  ],
  ['with --prompt=', [['/opt/copilot', '--prompt=go']], true],
  ['by npm’s launcher', [['node', '/x/.bin/copilot', '--prompt', 'go']], true],
  ['at a terminal', [['/bin/bash', '-c', 'x'], ['/opt/copilot']], false],
  ['with a prompt that stays', [['/opt/copilot', '-i', 'explain -p and --prompt']], false],
  ['by something else', [['/bin/sh'], ['other', '-p', 'x'], ['init']], false],
  ['unseen', [], false],
]
for (const [what, lines, alone] of LAUNCHED) {
  test(`Copilot started ${what} ${alone ? 'has nobody' : 'may have somebody'} in front of it`, () => {
    let at = 0
    const above = (pid: number) => {
      const words = lines[at++]
      return words && { pid, words, parent: 1, startedAt: '', terminal: undefined }
    }
    expect(isAlone(above)).toBe(alone)
  })
}
