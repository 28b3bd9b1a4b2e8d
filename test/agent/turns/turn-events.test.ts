import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TurnEvent } from '../../../src/agent/calls/turn-event.ts'
import { loadHookClient } from '../../../src/agent/clients/clients.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const FIXTURES = join(import.meta.dir, '../../fixtures/turns')
const FOLDERS: Record<string, string> = {
  claude: 'claude-code',
  copilot: 'copilot-cli',
  gemini: 'gemini-cli',
  qwen: 'qwen-code',
}

const ended = (lastWords: string, more: object = {}) => ({
  is: 'ended',
  outcome: 'finished',
  wentOn: false,
  lastWords,
  ...more,
})
const LIMIT = 'API Error: Request rejected (429) · This request would exceed your rate limit'

// What the clients sent, and what it means.
const EVENTS: Array<[client: string, fixture: string, turn: object | undefined, event?: string]> = [
  ['claude', 'stop', ended('answer 0')],
  ['claude', 'stop.interactive', ended('answer 0')],
  ['claude', 'stop.after-block', ended('answer 1', { wentOn: true })],
  ['claude', 'stop.background-tasks', ended('answer 2', { outcome: 'busy' })],
  ['claude', 'stop-failure.e429', { is: 'ended', outcome: 'rate_limited', lastWords: LIMIT }],
  [
    'claude',
    'stop-failure.e400',
    { is: 'ended', outcome: 'failed', lastWords: 'Credit balance is too low' },
  ],
  ['claude', 'notification.idle', { is: 'ended', outcome: 'waits' }],
  ['claude', 'session-end', { is: 'over', reason: 'other' }],
  ['claude', 'user-prompt-submit', { is: 'began', prompt: 'start the work' }],
  ['claude', 'user-prompt-submit.peer-message', { is: 'began', prompt: 'NEXT by socket' }],
  ['claude', 'session-start', undefined],
  ['claude', 'subagent-stop', undefined],
  ['codex', 'stop', ended('answer 0')],
  ['codex', 'stop.after-block', ended('answer 1', { wentOn: true })],
  ['codex', 'interrupt', { is: 'ended', outcome: 'interrupted' }],
  ['codex', 'user-prompt-submit.queued', { is: 'began', prompt: 'NEXT by queue' }],
  ['codex', 'session-end', { is: 'over', reason: 'other' }],
  ['copilot', 'agent-stop', { is: 'ended', outcome: 'finished', wentOn: false }, 'agentStop'],
  [
    'copilot',
    'agent-stop.after-block',
    { is: 'ended', outcome: 'finished', wentOn: true },
    'agentStop',
  ],
  [
    'copilot',
    'error-occurred.429',
    { is: 'trying', outcome: 'rate_limited', lastWords: 'Rate limit reached for requests' },
    'errorOccurred',
  ],
  ['copilot', 'session-end.error', { is: 'over', reason: 'error' }, 'sessionEnd'],
  [
    'copilot',
    'user-prompt-submitted.continuation',
    { is: 'began', prompt: 'NEXT-1 now write the tests' },
    'userPromptSubmitted',
  ],
  ['gemini', 'after-agent', ended('answer 0', { joined: true })],
  ['gemini', 'after-agent.after-deny', ended('answer 0\nanswer 1', { joined: true, wentOn: true })],
  ['gemini', 'before-agent.continuation', { is: 'began', prompt: 'NEXT-1 now write the tests' }],
  ['gemini', 'session-end', { is: 'over', reason: 'exit' }],
  ['qwen', 'stop', ended('answer 0')],
  ['qwen', 'stop.after-block', ended('answer 1', { wentOn: true })],
  ['qwen', 'notification.idle', { is: 'ended', outcome: 'waits' }],
  ['qwen', 'user-prompt-submit.input-file', { is: 'began', prompt: 'NEXT by file' }],
  ['opencode', 'session-idle', { is: 'ended', outcome: 'finished' }],
  ['opencode', 'session-status', { is: 'began' }],
  [
    'opencode',
    'session-status.retry',
    { is: 'trying', outcome: 'rate_limited', lastWords: 'Rate limit reached for requests' },
  ],
  [
    'opencode',
    'session-error.429',
    { is: 'ended', outcome: 'rate_limited', lastWords: 'Rate limit reached for requests' },
  ],
]

for (const [name, fixture, turn, event] of EVENTS) {
  test(`${name} ${fixture}: ${turn === undefined ? 'nothing of the turn' : JSON.stringify(turn)}`, async () => {
    const client = await loadHookClient(name)
    const path = join(FIXTURES, FOLDERS[name] ?? name, `${fixture}.json`)
    const input: unknown = JSON.parse(readFileSync(path, 'utf8'))
    expect(client?.parse(input, {}, event).turn).toEqual(turn as TurnEvent)
  })
}

test('the last words of Copilot CLI are in its record', async () => {
  using folder = tempFolder()
  const transcriptPath = join(folder.path, 'events.jsonl')
  const line = (type: string, content: string) => JSON.stringify({ type, data: { content } })
  await Bun.write(
    transcriptPath,
    [
      line('assistant.message', 'first'),
      line('assistant.message', 'last'),
      line('user.message', 'x'),
    ].join('\n'),
  )
  const client = await loadHookClient('copilot')
  const input = { sessionId: 's', stopReason: 'end_turn', transcriptPath }
  expect(client?.parse(input, {}, 'agentStop').turn).toMatchObject({ lastWords: 'last' })
})
