import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadHookClient } from '../../../src/agent/clients/clients.ts'
import claudeBash from '../../fixtures/clients/claude/PermissionRequest.Bash.interactive.json'
import claudePrompt from '../../fixtures/clients/claude/UserPromptSubmit.json'
import { hookWorld, NOTHING } from '../../support/hook-world.ts'
import { relayWorld } from '../../support/relay-world.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { until } from '../../support/until.ts'

const ATTENDED = { CLAUDE_CODE_SESSION_ATTENDED: '1', CLAUDE_CODE_ENTRYPOINT: 'cli' }
const PRINTING = { CLAUDE_CODE_SESSION_ATTENDED: '0', CLAUDE_CODE_ENTRYPOINT: 'sdk-cli' }

test('a prompt that a person typed says that somebody is there, and one of claude -p does not', async () => {
  using world = hookWorld()
  const { run, event, server } = world
  const prompt = event('UserPromptSubmit', { prompt: 'go' })
  expect(await run('claude', prompt, { env: PRINTING })).toEqual(NOTHING)
  expect(await run('claude', prompt, { env: ATTENDED })).toEqual(NOTHING)
  await until(() => server.asked.length > 0)
  expect(server.asked).toEqual([expect.objectContaining({ event: 'heartbeat', interactive: true })])
})

test('what a background task of Claude Code reports as a prompt is no answer to what is asked', async () => {
  await using world = await relayWorld()
  const session_id = world.session()
  const hook = world.start('claude', { ...claudeBash, session_id }, { env: ATTENDED })
  const [question] = await world.asked(session_id)
  if (!question) throw new Error('nothing was asked')
  const prompt = '<task-notification>\n<task-id>b1</task-id>\n</task-notification>'
  await world.start('claude', { ...claudePrompt, session_id, prompt }, { env: ATTENDED }).done
  expect((await world.look(question)).status).toBe('pending')
  await world.answer(question, 'yes')
  expect((await hook.done).out).toContain('"behavior":"allow"')
}, 60_000)

/** Whether the client itself says that somebody sits in front of it. */
async function attended(
  client: string,
  event: string,
  more: object,
  env: Record<string, string> = {},
) {
  const input = { session_id: 's1', cwd: '/home/u', hook_event_name: event, prompt: 'go', ...more }
  const call = (await loadHookClient(client))?.parse(input, env, event)
  expect(call?.sessionId).toBe('s1')
  return call?.event === 'prompt' && call.attended === true
}

// What Claude Code 2.1.329 gives its hooks; of the others nothing was seen.
const CLAUDE: Array<[what: string, env: Record<string, string>, boolean]> = [
  ['an interactive session', ATTENDED, true],
  ['claude -p', PRINTING, false],
  ['an older version, interactive', { CLAUDE_CODE_ENTRYPOINT: 'cli' }, true],
  ['an older version, -p', { CLAUDE_CODE_ENTRYPOINT: 'sdk-cli' }, false],
  ['a program that uses it', { CLAUDE_CODE_ENTRYPOINT: 'sdk-py' }, false],
  ['a session of which nothing is known', {}, false],
]
for (const [what, env, proof] of CLAUDE) {
  test(`Claude Code: a prompt of ${what} is ${proof ? '' : 'no '}proof that somebody is there`, async () => {
    expect(await attended('claude', 'UserPromptSubmit', {}, env)).toBe(proof)
  })
}

/** The beginning of what Codex 0.169.0 writes down of a session. */
function rollout(folder: string, payload: object): string {
  const path = join(folder, 'rollout.jsonl')
  const base = { base_instructions: { text: 'x'.repeat(100_000) } }
  const head = { type: 'session_meta', payload: { cli_version: '0.169.0', ...payload, ...base } }
  writeFileSync(path, `${JSON.stringify(head)}\n${JSON.stringify({ type: 'event_msg' })}\n`)
  return path
}

const TUI = { originator: 'codex-tui', source: 'cli' }
const CODEX: Array<[what: string, payload: object, mode: string, boolean]> = [
  ['an interactive session', TUI, 'default', true],
  ['codex exec', { originator: 'codex_exec', source: 'exec' }, 'bypassPermissions', false],
  ['codex exec with another mode', { originator: 'codex_exec', source: 'exec' }, 'default', false],
  ['codex exec that goes on with an interactive session', TUI, 'bypassPermissions', false],
  ['an agent that another one started', { source: { subagent: {} } }, 'default', false],
  ['a session of which nothing is known', {}, 'default', false],
]
for (const [what, payload, permission_mode, proof] of CODEX) {
  test(`Codex: a prompt of ${what} is ${proof ? '' : 'no '}proof that somebody is there`, async () => {
    using folder = tempFolder()
    const more = { permission_mode, transcript_path: rollout(folder.path, payload) }
    expect(await attended('codex', 'UserPromptSubmit', more, ATTENDED)).toBe(proof)
  })
}

const ODD: Array<[what: string, make: (folder: string) => unknown]> = [
  ['is missing', () => undefined],
  ['is no text', () => ({})],
  ['is not there', (folder) => join(folder, 'nowhere.jsonl')],
  ['is a folder', (folder) => folder],
  ['never ends', () => '/dev/zero'],
  ['is a pipe that nobody writes to', pipe],
  ['is empty', (folder) => written(folder, '')],
  ['is no JSON', (folder) => written(folder, '"source":"cli"\n')],
  ['has no end', (folder) => written(folder, '{"type":"session_meta","payload":{"source":"cli"}}')],
]
function written(folder: string, text: string): string {
  writeFileSync(join(folder, 'odd.jsonl'), text)
  return join(folder, 'odd.jsonl')
}
function pipe(folder: string): string {
  Bun.spawnSync(['mkfifo', join(folder, 'pipe')])
  return join(folder, 'pipe')
}
for (const [what, make] of ODD) {
  test(`Codex: a record of the session that ${what} proves nothing`, async () => {
    using folder = tempFolder()
    const more = { permission_mode: 'default', transcript_path: make(folder.path) }
    expect(await attended('codex', 'UserPromptSubmit', more)).toBe(false)
  })
}

// None of them says whether it was started with a prompt and nobody in front of it.
const UNKNOWN: Array<[client: string, event: string, more?: object]> = [
  ['copilot', 'userPromptSubmitted', { sessionId: 's1' }],
  ['gemini', 'BeforeAgent'],
  ['qwen', 'UserPromptSubmit'],
  ['cursor', 'beforeSubmitPrompt', { conversation_id: 's1' }],
]
for (const [client, event, more = {}] of UNKNOWN) {
  test(`${client}: a prompt proves nothing`, async () => {
    expect(await attended(client, event, more, ATTENDED)).toBe(false)
  })
}
