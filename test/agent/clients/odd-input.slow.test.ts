import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Rendered, Verdict } from '../../../src/agent/calls/tool-call.ts'
import { loadHookClient } from '../../../src/agent/clients/clients.ts'
import { beckon } from '../../support/beckon.ts'
import { contract, hookWorld } from '../../support/hook-world.ts'
import type { Ran } from '../../support/run-command.ts'
import { howOften } from '../../support/share.ts'
import { GOLDEN } from './golden.ts'
import { commandOf, type Session, sessionsIn } from './sessions.ts'

const CLIENTS = Object.keys(GOLDEN)
const FILLER = 'x'.repeat(6 * 1024 * 1024)

describe.each(CLIENTS)('%s and odd input', (name) => {
  const session = sessionsIn('/p')[name] as Session
  const write = JSON.stringify(session.write('a.txt'))
  const inputs: Record<string, string> = {
    empty: '',
    'a text': '"PreToolUse"',
    'a list': '[]',
    'no JSON': 'Write a.txt',
    truncated: write.slice(0, -9),
    'an unknown event': JSON.stringify({
      hook_event_name: 'Dance',
      event: 'dance',
      session_id: 's',
    }),
    huge: write.replace('a.txt', `a.txt${FILLER}`),
    'a byte order mark': `\uFEFF${write}`,
  }

  test('nothing is blocked before a person agreed to a scope', async () => {
    using world = hookWorld()
    for (const [what, stdin] of Object.entries(inputs)) {
      const outcome = await beckon(commandOf(name, 'write'), { env: world.env, stdin })
      expect({ what, ...outcome, out: decisionIn(outcome) }).toEqual({
        what,
        code: 0,
        out: undefined,
        err: '',
      })
    }
  })

  test('after a person agreed to a scope, unreadable input is blocked in the client’s own form', async () => {
    using world = hookWorld()
    const run = (what: keyof Session, stdin: string): Promise<Ran> =>
      beckon(commandOf(name, what), { env: world.env, stdin, cwd: world.project })
    const here = sessionsIn(world.project)[name] as Session
    world.server.contract = contract({ offLimitsPaths: ['infra/**'] })
    await run('proposed', JSON.stringify(here.proposed))
    world.server.stop()
    for (const what of ['empty', 'no JSON', 'a list']) {
      const outcome = await run('write', inputs[what] ?? '')
      const reason = /A scope holds on this machine[^"\n]*/.exec(outcome.out || outcome.err)?.[0]
      expect([what, outcome]).toEqual([what, GOLDEN[name]?.deny(reason ?? '') as Ran])
    }
    const marked = await run('write', `\uFEFF${JSON.stringify(here.write('infra/a'))}`)
    expect(JSON.stringify(marked)).toContain('infra/a is off limits')
  })
})

/** What is said to the client but its own word for silence. */
function decisionIn({ out }: Ran): string | undefined {
  const silences = ['', '{}', '{"cancel":false}', '{"decision":"allow"}']
  return silences.includes(out) ? undefined : out
}

// Every key that may stand in what is said, per client; a key more is a hook that failed to some.
const KEYS: Record<string, RegExp> = {
  copilot: /^(permissionDecision|permissionDecisionReason|behavior|message|additionalContext)$/,
  vscode: /^hookSpecificOutput$/,
  qwen: /^hookSpecificOutput$/,
  droid: /^hookSpecificOutput$/,
  gemini: /^(decision|reason|hookSpecificOutput)$/,
  agy: /^(decision|reason|injectSteps)$/,
  opencode: /^(decision|reason|answers|context)$/,
  goose: /^(decision|reason)$/,
  windsurf: /^$/,
  cline: /^(cancel|errorMessage|contextModification)$/,
  cursor: /^(permission|user_message|agent_message|additional_context)$/,
}
const ALWAYS_ZERO = new Set(['agy', 'cline'])
// Words of clients, so that the search comes upon what they mean.
const NAMES = [
  ...['hook_event_name', 'hookEventName', 'hookName', 'event', 'type', 'agent_action_name'],
  ...['toolName', 'tool_name', 'toolArgs', 'tool_input', 'toolInput', 'tool_info', 'toolCall'],
  ...['input', 'output', 'properties', 'preToolUse', 'workspace_roots', 'cwd', 'questions', 'args'],
  ...['command', 'path', 'file_path', 'replacements', 'stepIdx', 'timestamp', '__proto__'],
]
const VALUES = [
  ...['PreToolUse', 'preToolUse', 'BeforeTool', 'permissionRequest', 'question.asked', 'Write'],
  ...['tool.execute.before', 'pre_run_command', 'beforeReadFile', 'Bash', 'edit', 'apply_patch'],
  ...['*** Begin Patch\n*** Add File: x', '{"path":"a"}', '"/a"', '', '\0', '/p', 'constructor'],
]
const { tie } = fc.letrec((tie) => ({
  tie: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(...VALUES),
    fc.jsonValue({ maxDepth: 1 }),
    fc.array(tie('tie'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...NAMES), tie('tie'), { maxKeys: 8 }),
  ),
}))
const VERDICT: fc.Arbitrary<Verdict> = fc.oneof(
  fc.constant<Verdict>({ is: 'silent' }),
  fc.string().map((reason): Verdict => ({ is: 'deny', reason })),
  fc.string().map((reason): Verdict => ({ is: 'ask', reason })),
  fc.string().map((text): Verdict => ({ is: 'context', text })),
  fc.jsonValue().map((updatedInput): Verdict => ({ is: 'allow', updatedInput })),
)

test.each(CLIENTS)('%s: whatever comes is read, and answered within its words', async (name) => {
  const client = await loadHookClient(name)
  if (!client) throw new Error(name)
  const words = fc.option(fc.constantFrom(...VALUES), { nil: undefined })
  const property = fc.property(tie, words, VERDICT, (input, event, verdict) => {
    const call = client.parse(input, {}, event)
    expect(call.cwd.startsWith('/')).toBe(true)
    expect(call.roots.length).toBeGreaterThan(0)
    expect(call.touches.every(({ path }) => typeof path === 'string')).toBe(true)
    expect(typeof client.canAsk(call)).toBe('boolean')
    check(name, client.render(verdict, call), verdict)
  })
  fc.assert(property, { numRuns: howOften(10, 200) })
})

// Thrown on, it would have been silence: the tool runs, whatever a person agreed to.
test.each(['windsurf', 'cline'])(
  '%s: a tool whose name is no text is read all the same',
  async (name) => {
    const client = await loadHookClient(name)
    const odd = { toString: 1 }
    const call = { server_name: odd, tool_name: 'x', arguments: '{"path":"/a"}' }
    const payloads = {
      windsurf: {
        agent_action_name: 'pre_mcp_tool_use',
        tool_info: { mcp_server_name: odd, mcp_tool_name: 'x', mcp_tool_arguments: { path: '/a' } },
      },
      cline: { preToolUse: { toolName: 'use_mcp_tool', parameters: call } },
    }[name]
    const read = client?.parse(payloads, {})
    expect(read).toMatchObject({ event: 'before_tool', toolName: '/x' })
    expect(read?.touches.map(({ path }) => path)).toEqual(['/a'])
  },
)

test('names of a session and a question that are no text do no harm', async () => {
  const odd = { toString: 1 }
  const agy = await loadHookClient('agy')
  const step = { conversationId: odd, stepIdx: 3, toolCall: { name: 'x', args: {} } }
  expect(agy?.parse(step, {}).toolUseId).toBeUndefined()
  const opencode = await loadHookClient('opencode')
  const call = opencode?.parse(
    { event: 'question.asked', properties: { questions: [{ question: odd }] } },
    {},
  )
  if (!call) throw new Error('nothing was read')
  const verdict: Verdict = { is: 'allow', updatedInput: { answers: {} } }
  expect(opencode?.render(verdict, call).exit).toBe(0)
})

function check(name: string, { stdout, stderr, exit }: Rendered, verdict: Verdict): void {
  const reply = stdout === '' ? {} : JSON.parse(stdout)
  expect(Object.keys(reply).filter((key) => !KEYS[name]?.test(key))).toEqual([])
  if (exit === 2) expect(stderr).not.toBe('')
  if (exit === 0) expect(stderr).toBe('')
  if (ALWAYS_ZERO.has(name)) expect(exit).toBe(0)
  if (verdict.is !== 'deny' && verdict.is !== 'ask') expect(exit).toBe(0)
  // Only where a prompt is answered, and agy's word for silence.
  if (verdict.is !== 'allow' && name !== 'agy') expect(stdout).not.toMatch(/"(allow|once)"/)
}
