import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findScope, keepScope } from '../../../src/agent/session/kept-scope.ts'
import { fileName } from '../../../src/agent/state/state-files.ts'
import type { CallMatch } from '../../../src/ask/wire/call-match.ts'
import claudePermission from '../../fixtures/clients/claude/PermissionRequest.Bash.interactive.json'
import { type HookWorld, hookWorld, NOTHING, SESSION } from '../../support/hook-world.ts'

setDefaultTimeout(60_000)

const APPLY: CallMatch = { toolName: 'Bash', toolTarget: 'terraform apply*' }
const COMMAND = { command: 'terraform apply -auto-approve' }
const BYPASS = { permission_mode: 'bypassPermissions' }

let world: HookWorld
beforeEach(() => {
  world = hookWorld({ waitSeconds: 30 })
})
afterEach(() => world[Symbol.dispose]())

const run = (tool: string, input: unknown, more: object = {}) =>
  world.run('claude', world.before(tool, input, more as Record<string, unknown>))
const asks = () => world.server.asked.filter(({ event }) => event === 'approval')
const decisionIn = (out: string): string =>
  JSON.parse(out).hookSpecificOutput?.permissionDecision ?? out

/** The session has not heard of its server for longer than it may go without. */
function age(ms = 31_000) {
  const place = { state: world.state, client: 'claude', sessionId: SESSION }
  const scope = findScope(place, Date.now())
  if (scope.is !== 'kept') throw new Error('the session was told nothing')
  keepScope(place, { ...scope.kept, checkedAt: scope.kept.checkedAt - ms })
}

test('where no rule decides, calls of a session cause one request in 30 seconds', async () => {
  for (const tool of ['Bash', 'Bash', 'WebFetch']) expect(await run(tool, COMMAND)).toEqual(NOTHING)
  expect(world.server.asked.map(({ event }) => event)).toEqual(['heartbeat'])
})

test('a call that a rule may decide is sent before it runs, and goes on where no rule is about it', async () => {
  world.server.ruleMatches = [APPLY]
  world.server.reply = { noRule: true }
  expect(await run('Bash', COMMAND, BYPASS)).toEqual(NOTHING)
  expect(asks()).toMatchObject([
    {
      ask: {
        onlyByRule: true,
        toolName: 'Bash',
        toolTarget: COMMAND.command,
        localSurfaceAvailable: false,
        actionHash: expect.any(String),
        exact: expect.any(Object),
        reading: expect.any(Object),
        toolUseId: 'toolu_1',
      },
    },
  ])
})

test.each([
  'cd infra && terraform apply',
  'sudo terraform -chdir=x apply',
  't\\erraform apply',
  'A=terraform; $A apply',
  'terraform 2>/dev/null apply',
])('a line in which its command stands is sent: %s', async (command) => {
  world.server.ruleMatches = [APPLY]
  world.server.reply = { noRule: true }
  expect(await run('Bash', { command }, BYPASS)).toEqual(NOTHING)
  expect(asks()).toHaveLength(1)
})

test('a line of which the server has only the beginning does not run what a rule may decide', async () => {
  world.server.ruleMatches = [APPLY]
  world.server.reply = { noRule: true }
  const after = (begin: string) => ({ command: `${begin} ${'x'.repeat(5_000)}\nterraform apply` })
  const { out } = await run('Bash', after('ls'), BYPASS)
  expect(decisionIn(out)).toBe('deny')
  const text = { command: `cat > a.md <<'END'\n${'x '.repeat(3_000)}\nterraform apply\nEND` }
  expect(await run('Bash', text, BYPASS)).toEqual(NOTHING)
})

test('what stands within a secret, which the server does not see, does not run', async () => {
  world.server.ruleMatches = [APPLY]
  world.server.reply = { noRule: true }
  const line = (within: string) => ({ command: `echo password=\`${within}\`` })
  const { out } = await run('Bash', line('terraform apply'), BYPASS)
  expect(decisionIn(out)).toBe('deny')
  expect(await run('Bash', line('cat token'), BYPASS)).toEqual(NOTHING)
})

test.each([
  ['terraform apply', 1],
  ['cd x\nterraform apply', 1],
  ['terraform plan', 0],
])('the text that a tool of a server gives to a shell is read, too: %j', async (command, count) => {
  world.server.ruleMatches = [{ toolName: 'mcp__ops__exec', toolTarget: 'terraform apply*' }]
  world.server.reply = { noRule: true }
  expect(await run('mcp__ops__exec', { command }, BYPASS)).toEqual(NOTHING)
  expect(asks()).toHaveLength(count)
})

test.each([
  ['another command', 'Bash', { command: 'terraform plan' }],
  ['a text with its words', 'Bash', { command: 'git commit -m "terraform apply"' }],
  ['another tool', 'Write', { file_path: 'terraform apply', content: '' }],
] as const)('%s is not sent', async (_, tool, input) => {
  world.server.ruleMatches = [APPLY, { toolName: 'Bash', machineId: 'm_other' }]
  expect(await run(tool, input)).toEqual(NOTHING)
  expect(asks()).toEqual([])
})

test.each([
  ['is asked about at the terminal', 'claude', {}, 'ask'],
  ['is refused where the client asks nobody', 'claude', BYPASS, 'deny'],
  ['is refused where the client has no prompt', 'gemini', {}, 'deny'],
] as const)(
  'while the server is away, what a rule may decide %s',
  async (_, client, more, wanted) => {
    const match = { toolTarget: 'terraform apply*' }
    world.server.ruleMatches = [match]
    world.server.reply = { noRule: true }
    const event = { hook_event_name: client === 'gemini' ? 'BeforeTool' : 'PreToolUse' }
    const tool_name = client === 'gemini' ? 'run_shell_command' : 'Bash'
    const call = { ...world.before('Bash', COMMAND, more), ...event, tool_name }
    expect(await world.run(client, call)).toEqual(NOTHING)
    world.server.stop()
    const { out } = await world.run(client, call)
    expect(client === 'gemini' ? JSON.parse(out).decision : decisionIn(out)).toBe(wanted)
    // A session that begins then was told by the one before.
    const next = await world.run(client, { ...call, session_id: 'another' })
    expect(next.out).toBe(out)
    const other = { ...call, session_id: 'another', tool_input: { command: 'ls' } }
    expect(await world.run(client, other)).toEqual(NOTHING)
  },
)

test('of rules in a form of a later server, each may be about every call', async () => {
  world.server.ruleMatches = [{ toolName: ['Bash', 'Shell'] } as never, APPLY]
  world.server.reply = { decision: 'deny', reason: 'A rule.' }
  expect(decisionIn((await run('Bash', { command: 'ls' }, BYPASS)).out)).toBe('deny')
  expect(await run('Read', { file_path: 'a' })).toEqual(NOTHING)
})

test.each(['wait', null])(
  'a decision that is not known, %p, lets nothing run',
  async (decision) => {
    world.server.ruleMatches = [APPLY]
    world.server.reply = { decision: decision as never }
    const { out } = await run('Bash', COMMAND, BYPASS)
    expect(decisionIn(out)).not.toBe('allow')
    const prompt = { ...claudePermission, session_id: SESSION, tool_input: { command: 'ls' } }
    expect(await world.run('claude', prompt)).toEqual(NOTHING)
  },
)

test('a machine that its server never answered knows of no rule', async () => {
  world.server.stop()
  expect(await run('Bash', COMMAND, BYPASS)).toEqual(NOTHING)
})

test('what is known of rules is not trusted once somebody else has changed it', async () => {
  world.server.reply = { noRule: true }
  world.server.ruleMatches = [APPLY]
  await run('Bash', COMMAND)
  world.server.stop()
  const folder = join(world.state, 'rules')
  const [name = ''] = readdirSync(folder)
  writeFileSync(join(folder, name), 'x\n[]')
  const { out } = await run('Bash', { command: 'ls' }, { ...BYPASS, session_id: 'another' })
  expect(decisionIn(out)).toBe('deny')
})

test('a rule that is made or removed while a session runs counts 30 seconds later', async () => {
  world.server.reply = { noRule: true }
  await run('Bash', COMMAND)
  world.server.ruleMatches = [APPLY]
  await run('Bash', COMMAND)
  expect(asks()).toHaveLength(0)
  age()
  await run('Bash', COMMAND)
  expect(asks()).toHaveLength(1)
  world.server.ruleMatches = []
  age()
  await run('Bash', COMMAND)
  expect(asks()).toHaveLength(1)
})

test('a rule reaches a session whose clock was set back', async () => {
  await run('Bash', COMMAND)
  world.server.ruleMatches = [APPLY]
  world.server.reply = { noRule: true }
  age(-3_600_000)
  mkdirSync(join(world.state, 'unheard'), { recursive: true })
  const later = new Date(Date.now() + 3_600_000)
  const stamp = join(world.state, 'unheard', fileName('claude', SESSION))
  writeFileSync(stamp, '')
  utimesSync(stamp, later, later)
  await run('Bash', COMMAND)
  expect(asks()).toHaveLength(1)
})

test('a call that cannot be read whole does not run where a rule may be about it', async () => {
  world.server.ruleMatches = [APPLY]
  const long = { ...world.before('Bash', { ...COMMAND, rest: 'x'.repeat(6 * 1024 * 1024) }) }
  const { out } = await world.run('claude', JSON.stringify(long))
  expect(decisionIn(out)).toBe('deny')
  const write = world.before('Write', { file_path: 'a', content: 'x'.repeat(6 * 1024 * 1024) })
  expect(await world.run('claude', JSON.stringify(write))).toEqual(NOTHING)
  expect(asks()).toEqual([])
})

test('a rule that names no tool leaves out what changes nothing, and our own tools', async () => {
  world.server.reply = { decision: 'deny', reason: 'A rule.' }
  world.server.ruleMatches = [{}]
  for (const [tool, input] of [
    ['Read', { file_path: 'a' }],
    ['Grep', { pattern: 'x' }],
    ['TodoWrite', { todos: [] }],
    ['Task', { prompt: 'x' }],
    ['mcp__beckon__ask_user', { question: 'May I?' }],
  ] as const) {
    expect(await run(tool, input)).toEqual(NOTHING)
  }
  for (const [tool, input] of [
    ['Bash', { command: 'ls' }],
    ['Write', { file_path: 'a', content: '' }],
    ['WebFetch', { url: 'https://example.com' }],
    ['mcp__shop__list_orders', {}],
  ] as const) {
    expect(decisionIn((await run(tool, input)).out)).toBe('deny')
  }
  world.server.ruleMatches = [{ toolName: 'Read' }]
  age()
  expect(decisionIn((await run('Read', { file_path: 'a' })).out)).toBe('deny')
})

test('a yes to a path outside the scope is not the yes that a rule asks for', async () => {
  await world.ratify('claude', { allowedPaths: ['src/**'] })
  world.server.ruleMatches = [{ toolName: 'Write' }]
  age()
  world.server.answer = { value: 'yes' }
  expect(await run('Write', { file_path: join(world.project, 'b'), content: '' })).toEqual(NOTHING)
  const events = world.server.asked.map(({ event }) => event)
  expect(events.filter((event) => event === 'check' || event === 'approval')).toEqual([
    'check',
    'approval',
  ])
  // Nor does a rule's yes open a path.
  world.server.answer = { value: 'no' }
  const { out } = await run('Write', { file_path: join(world.project, 'c'), content: '' })
  expect(decisionIn(out)).toBe('deny')
  expect(asks()).toHaveLength(1)
})

test('what the terminal is asked about is no yes of those whom a rule names', async () => {
  await world.ratify('claude', { allowedPaths: ['src/**'] })
  world.server.ruleMatches = [{ toolName: 'Write' }]
  age()
  const path = { file_path: join(world.project, 'b'), content: '' }
  world.server.reply = { questionFields: { noDevices: true }, noRule: true }
  // Nobody can be told about the path, so the terminal is asked; no rule is about the call.
  world.server.before = async (request) => {
    const { event } = (await request
      .clone()
      .json()
      .catch(() => ({}))) as { event?: string }
    world.server.reply = event === 'check' ? { questionFields: { noDevices: true } } : byRule
    return undefined
  }
  let byRule: typeof world.server.reply = { noRule: true }
  expect(decisionIn((await run('Write', path)).out)).toBe('ask')
  byRule = { decision: 'deny', reason: 'A rule.' }
  expect(decisionIn((await run('Write', path, { tool_use_id: 'toolu_2' })).out)).toBe('deny')
})

test('two hundred rules are kept and compared', async () => {
  const many = Array.from({ length: 199 }, (_, at) => ({
    ...{ toolName: 'Bash', toolTarget: `make target-${at}*`, repoKey: 'x'.repeat(200) },
  }))
  world.server.ruleMatches = [...many, APPLY]
  world.server.reply = { decision: 'deny', reason: 'A rule.' }
  expect(await run('Bash', { command: 'make' })).toEqual(NOTHING)
  expect(decisionIn((await run('Bash', COMMAND)).out)).toBe('deny')
})
