import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { setupWorld } from './setup-world.ts'

// Whole processes on a busy machine.
setDefaultTimeout(60_000)

let world: Awaited<ReturnType<typeof setupWorld>>
beforeAll(async () => {
  world = await setupWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const FOREIGN = { hooks: [{ type: 'command', command: '/usr/bin/guard --strict' }] }

test('setup after setup --strict stays strict and says so; --no-strict ends it; undo leaves nothing', async () => {
  using home = world.home()
  home.put('.claude/settings.json', '{\n  // mine\n  "model": "opus"\n}')
  home.put('.codex/config.toml', 'model = "x" # keep\n')
  const before = home.files()
  const names = ['claude', 'codex', 'cline', 'opencode']
  await home.setup([...names, '--strict'])
  const strict = home.files()
  // The other client was never strict, and does not become so.
  const again = await home.setup([...names, 'cursor'])
  expect([again.code, again.err]).toEqual([
    0,
    expect.stringContaining('until --no-strict: Claude Code, Codex, Cline, OpenCode.'),
  ])
  expect(home.files()).toMatchObject(strictFilesOf(strict))
  expect(home.read('.cursor/hooks.json')).not.toContain('--strict')

  const { out } = await home.setup(['claude', '--json', '--dry-run'])
  expect(JSON.parse(out).clients[0]).toMatchObject({ strict: true, name: 'claude' })
  const ended = await home.setup([...names, '--no-strict'])
  expect(ended.err).not.toContain('--no-strict')
  expect(JSON.stringify(home.files())).not.toContain('--strict')
  await home.setup([...names, '--strict'])
  await home.setup(names)
  await home.setup(['--undo', '--yes'])
  expect(home.files()).toEqual(before)
})

/** Without what setup remembers of its own. */
function strictFilesOf(files: Record<string, string>) {
  return Object.fromEntries(Object.entries(files).filter(([, text]) => text.includes('--strict')))
}

test('--strict and --no-strict at once are refused', async () => {
  using home = world.home()
  const before = home.files()
  const { code, err } = await home.setup(['claude', '--strict', '--no-strict'])
  expect([code, err]).toEqual([2, expect.stringContaining('cannot be given together')])
  expect(home.files()).toEqual(before)
})

test('a word like it in what somebody else wrote makes nothing strict', async () => {
  using home = world.home()
  home.put('.claude/settings.json', JSON.stringify({ hooks: { PreToolUse: [FOREIGN] } }))
  await home.setup(['claude'])
  expect(home.read('.claude/settings.json').match(/--strict/g)).toHaveLength(1)
})
