import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import {
  callingClient,
  findOtherWriter,
  HOOK_CLIENTS,
  loadHookClient,
} from '../../../src/agent/clients/clients.ts'
import { contract, hookWorld } from '../../support/hook-world.ts'
import { fixture } from './fixture.ts'
import { GOLDEN } from './golden.ts'
import { type Session, sessionsIn } from './sessions.ts'

const FIXTURES = join(import.meta.dir, '../../fixtures/clients')

/** Every input in a folder, and who is thought to have written it. */
function sniffed(folder: string): Record<string, string | undefined> {
  const names = readdirSync(join(FIXTURES, folder))
    .filter((name) => name !== 'hook-env.json' && name.endsWith('.json'))
    .map((name) => name.slice(0, -'.json'.length))
  const writers = names.map((name) => [
    name,
    findOtherWriter('claude', JSON.parse(fixture(`${folder}/${name}`)))?.name,
  ])
  return Object.fromEntries(writers)
}

test.each<{ folder: string; client: string | undefined; silent: string[] }>([
  // What nothing gives away goes on being read in the words of Claude Code, which it has.
  { folder: 'claude', client: undefined, silent: [] },
  { folder: 'codex', client: 'codex', silent: ['SessionEnd', 'SessionStart', 'notify.argv-last'] },
  { folder: 'copilot-cli', client: 'copilot', silent: [] },
  { folder: 'copilot-cli-pascal', client: 'copilot', silent: ['Stop'] },
  { folder: 'from-documents/vscode', client: 'vscode', silent: [] },
  { folder: 'from-documents/cursor', client: 'cursor', silent: [] },
])('every input in $folder is known to be of $client', ({ folder, client, silent }) => {
  const entries = Object.entries(sniffed(folder))
  expect(entries.length).toBeGreaterThan(8)
  for (const [name, sniffed] of entries) {
    expect([name, sniffed]).toEqual([name, silent.includes(name) ? undefined : client])
  }
})

test.each([
  ['claude', 'from-documents/cursor/preToolUse.Write', 'cursor'],
  ['claude', 'from-documents/vscode/PreToolUse.create_file', 'vscode'],
  ['claude', 'copilot-cli-pascal/PreToolUse.Write', 'copilot'],
  ['claude', 'copilot-cli-pascal/PermissionRequest.bash', 'copilot'],
  ['claude', 'codex/PreToolUse.Bash', 'codex'],
  ['claude', 'claude/PreToolUse.Bash', 'claude'],
  ['copilot', 'from-documents/vscode/PreToolUse.create_file', 'vscode'],
  ['vscode', 'copilot-cli/preToolUse.bash', 'copilot'],
  // Who does not share its file is believed.
  ['copilot', 'from-documents/cursor/preToolUse.Write', 'copilot'],
  ['gemini', 'gemini-cli/BeforeTool.write_file', 'gemini'],
  ['codex', 'from-documents/cursor/preToolUse.Write', 'codex'],
  ['droid', 'copilot-cli-pascal/PreToolUse.Write', 'droid'],
])('beckon hook %s with %s is answered as %s', async (name, file, expected) => {
  const hookClient = await loadHookClient(name)
  const client = hookClient && (await callingClient(hookClient, JSON.parse(fixture(file))))
  expect(client?.name).toBe(expected)
  // Its prompts were not asked for.
  if (expected !== name) expect(client?.relays).toBe(false)
})

test('no input makes it throw, and none is of somebody who does not share a file', async () => {
  for (const name of HOOK_CLIENTS) {
    const client = await loadHookClient(name)
    for (const input of [undefined, null, 'text', 3, [], {}, { timestamp: {} }]) {
      expect(client && (await callingClient(client, input)).name).toBe(name)
    }
  }
})

test('VS Code is answered in its own shape when it runs the hook of Copilot CLI', async () => {
  using world = hookWorld()
  const session = sessionsIn(world.project).vscode as Session
  const run = (input: object) => world.run('copilot', { ...input }, { args: ['preToolUse'] })
  world.server.contract = contract({ offLimitsPaths: ['infra/**'] })
  await run(session.proposed)
  const off = await run(session.write(`${world.project}/infra/a`))
  const reason = /infra\/a is off limits[^"\n]*/.exec(off.out)?.[0] ?? ''
  expect(off).toEqual(GOLDEN.vscode?.deny(reason) as never)
})

test.each(['cursor', 'vscode', 'copilot (PascalCase)'])(
  '%s is answered in its own shape when it runs the hook of Claude Code',
  async (name) => {
    using world = hookWorld()
    const session = sessionsIn(world.project)[name] as Session
    const golden = GOLDEN[name.split(' ')[0] ?? '']
    const run = (input: object) => world.run('claude', { ...input })
    world.server.contract = contract({ offLimitsPaths: ['infra/**'] })
    await run(session.proposed)
    world.server.stop()
    expect(await run(session.write(`${world.project}/a.txt`))).toEqual(golden?.silent as never)
    const off = await run(session.write(`${world.project}/infra/a`))
    const reason = /infra\/a is off limits[^"\n]*/.exec(off.out)?.[0] ?? ''
    expect(off).toEqual(golden?.deny(reason) as never)
  },
)
