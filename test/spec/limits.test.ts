import { expect, test } from 'bun:test'
import type { Caller } from '../../src/ask/accounts/model/agent.ts'
import { readAsk } from '../../src/ask/questions/model/read-ask.ts'
import { askUserInput } from '../../src/ask/wire/ask-fields.ts'
import { waitInput } from '../../src/ask/wire/follow-up-fields.ts'
import { WINDOW_MS } from '../../src/ask/wire/limits.ts'
import { sendNotificationInput } from '../../src/ask/wire/notification-fields.ts'
import { proposeScopeInput } from '../../src/ask/wire/scope-fields.ts'

const chars = (n: number) => 'é'.repeat(n)
const items = (n: number, item: unknown = 'a') => Array.from({ length: n }, () => item)

const caller: Caller = {
  tokenId: 'key_1',
  tokenName: 'laptop',
  workspaceId: 'ws_1',
  test: false,
  client: 'codex',
  testConnection: false,
  arrivedAt: 1_000,
}

const TOOLS = {
  ask_user: (more: object) => askUserInput.wrong({ question: 'Deploy?', ...more }),
  send_notification: (more: object) =>
    sendNotificationInput.wrong({ title: 'Done', body: 'All tests pass.', ...more }),
  propose_scope: (more: object) =>
    proposeScopeInput.wrong({ doneWhen: 'Tests pass', sessionId: 's', ...more }),
  wait_for_answer: (more: object) => waitInput.wrong({ correlationId: 'q_1', ...more }),
}
type Tool = keyof typeof TOOLS

/** Of each field: what is just inside its limits, and what is just outside. */
type Limit = { ids: string; tool: Tool; field: string; good: unknown[]; bad: unknown[] }
const long = (ids: string, tool: Tool, field: string, max: number): Limit => ({
  ids,
  tool,
  field,
  good: ['', 'a', chars(max), '🙂'.repeat(max)],
  bad: [chars(max + 1), 7, null, ['a']],
})
const needed = (ids: string, tool: Tool, field: string, max: number): Limit => ({
  ids,
  tool,
  field,
  good: ['a', chars(max)],
  bad: ['', chars(max + 1), undefined, 7],
})
const timeout = (tool: Tool): Limit => ({
  ids: '[QS-LIM-timeoutMs]',
  tool,
  field: 'timeoutMs',
  good: [1000, 55_000],
  bad: [999, 55_001, 1000.5, -1, '2000', Number.NaN],
})
const paths = (field: string): Limit => ({
  ids: '[QS-LIM-paths]',
  tool: 'propose_scope',
  field,
  good: [[], items(40), [chars(200)]],
  bad: [items(41), [chars(201)], [''], 'src'],
})
const rich = (more: object) => ({ question: 'a', multiSelect: false, options: labels(2), ...more })
const labels = (n: number) => items(n, { label: 'a' })
const embedded = (more: object) => ({ type: 'info', askQuestion: { question: 'a', ...more } })

const LIMITS: Limit[] = [
  needed('[QS-LIM-title]', 'send_notification', 'title', 100),
  needed('[QS-LIM-body]', 'send_notification', 'body', 500),
  long('[QS-LIM-agentName]', 'send_notification', 'agentName', 100),
  long('[QS-LIM-agentName]', 'propose_scope', 'agentName', 100),
  long('[QS-LIM-ids]', 'send_notification', 'machineId', 128),
  long('[QS-LIM-ids]', 'send_notification', 'sessionId', 128),
  long('[QS-LIM-ids]', 'ask_user', 'machineId', 128),
  long('[QS-LIM-ids]', 'ask_user', 'sessionId', 128),
  long('[QS-LIM-ids]', 'propose_scope', 'machineId', 128),
  needed('[QS-LIM-ids]', 'propose_scope', 'sessionId', 128),
  timeout('ask_user'),
  timeout('propose_scope'),
  timeout('wait_for_answer'),
  {
    ids: '[QS-LIM-options]',
    tool: 'ask_user',
    field: 'options',
    good: [items(2), items(6)],
    bad: [[], items(1), items(7), ['a', ''], ['a', 1], 'a,b'],
  },
  {
    ids: '[QS-LIM-rich]',
    tool: 'ask_user',
    field: 'questions',
    good: [
      [rich({})],
      [rich({ options: labels(4), multiSelect: true, allowOther: true, header: chars(40) })],
      [rich({ options: [{ label: chars(100), description: chars(500) }, { label: 'b' }] })],
    ],
    bad: [
      [],
      [rich({}), rich({})],
      [rich({ options: labels(1) })],
      [rich({ options: labels(5) })],
      [rich({ multiSelect: undefined })],
      [rich({ header: chars(41) })],
      [rich({ options: [{ label: chars(101) }, { label: 'b' }] })],
      [rich({ options: [{ label: '' }, { label: 'b' }] })],
      [rich({ options: [{ label: 'a', description: chars(501) }, { label: 'b' }] })],
      [rich({ surprise: 1 })],
    ],
  },
  {
    ids: '[QS-LIM-question, QS-LIM-rich]',
    tool: 'ask_user',
    field: 'questions',
    good: [[rich({ question: chars(500) })]],
    bad: [[rich({ question: '' })], [rich({ question: chars(501) })]],
  },
  {
    ids: '[QS-LIM-question, QS-LIM-options]',
    tool: 'send_notification',
    field: 'context',
    good: [
      embedded({ question: chars(500) }),
      embedded({ type: 'select', options: items(6) }),
      embedded({ type: 'input' }),
    ],
    bad: [
      embedded({ question: '' }),
      embedded({ question: chars(501) }),
      embedded({ type: 'select', options: items(7) }),
      embedded({ type: 'select', options: items(1) }),
      embedded({ type: 'other' }),
      { type: 'warning' },
      {},
    ],
  },
  long('[QS-LIM-actionBody]', 'ask_user', 'actionBody', 4000),
  long('[QS-LIM-context]', 'ask_user', 'context', 500),
  long('[QS-LIM-placeholder]', 'ask_user', 'placeholder', 200),
  long('[QS-LIM-repo]', 'ask_user', 'repoKey', 200),
  long('[QS-LIM-repo]', 'ask_user', 'scopePath', 200),
  long('[QS-LIM-tool]', 'ask_user', 'toolName', 100),
  long('[QS-LIM-tool]', 'ask_user', 'toolTarget', 80),
  long('[QS-LIM-tool]', 'ask_user', 'permissionMode', 64),
  {
    ids: '[QS-LIM-tool]',
    tool: 'ask_user',
    field: 'toolPath',
    good: ['/', `/${chars(4095)}`],
    bad: ['', 'src/a.ts', `/${chars(4096)}`],
  },
  long('[QS-LIM-keys]', 'ask_user', 'requestId', 200),
  long('[QS-LIM-keys]', 'ask_user', 'toolUseId', 200),
  paths('allowedPaths'),
  paths('offLimitsPaths'),
  {
    ids: '[QS-LIM-promises]',
    tool: 'propose_scope',
    field: 'promises',
    good: [[], items(10), [chars(200)]],
    bad: [items(11), [chars(201)], ['']],
  },
  needed('[QS-LIM-doneWhen]', 'propose_scope', 'doneWhen', 300),
]

for (const { ids, tool, field, good, bad } of LIMITS) {
  test(`${ids} ${tool} takes ${field} up to its limits and names it beyond them`, () => {
    const wrong = TOOLS[tool]
    for (const value of good) expect([value, wrong({ [field]: value })]).toEqual([value, []])
    for (const value of bad) {
      const fields = wrong({ [field]: value }).map((error) => error.field.split(/[.[]/)[0])
      expect([value, ...fields]).toEqual([value, ...fields.map(() => field)])
      expect(fields.length).toBeGreaterThan(0)
    }
  })
}

const read = (input: object) =>
  readAsk(askUserInput.parse({ question: 'Deploy?', ...input }), caller)

test('[QS-LIM-question] a longer question is cut to 500 characters, never through one', () => {
  expect(read({ question: chars(500) }).question).toBe(chars(500))
  expect(read({ question: chars(501) }).question).toBe(chars(500))
  expect(read({ question: '🙂'.repeat(600) }).question).toBe('🙂'.repeat(500))
  expect(askUserInput.wrong({ question: '' })).toHaveLength(1)
})

test('[QS-LIM-action] action, blocker and intent are cut to 500 characters', () => {
  for (const field of ['action', 'blocker', 'intent'] as const) {
    expect(read({ [field]: chars(500) }).detail[field]).toBe(chars(500))
    expect(read({ [field]: '🙂'.repeat(501) }).detail[field]).toBe('🙂'.repeat(500))
  }
})

test('[QS-LIM-agentName] ask_user cuts the name to 100 and falls back to the client', () => {
  expect(read({ agentName: chars(101) }).agentName).toBe(chars(100))
  expect(read({}).agentName).toBe('codex')
})

test('[QS-LIM-window] a question is open for 10 minutes, whatever the call waits', () => {
  for (const timeoutMs of [1000, 55_000]) {
    expect(read({ timeoutMs }).expiresAt - caller.arrivedAt).toBe(600_000)
  }
  expect(WINDOW_MS).toBe(600_000)
})

test('[QS-LIM-options] a select without options is refused by name', () => {
  expect(() => read({ type: 'select' })).toThrow('options is required')
  expect(read({ type: 'confirm', options: ['a', 'b'] }).choices).toEqual([])
})
