import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setupWorld } from './setup-world.ts'

let world: Awaited<ReturnType<typeof setupWorld>>
beforeAll(async () => {
  world = await setupWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

test.each([
  ['.config'],
  ['.config/beckon'],
  ['.local'],
  ['.local/state'],
  ['.local/state/beckon'],
  ['.claude'],
  ['.claude/hooks'],
  ['.claude/settings.json/'],
  ['.config/beckon/client.json/'],
])(
  'what stands where setup would write (%s) ends in a sentence, and nothing is left',
  async (path) => {
    using home = world.home()
    if (path.endsWith('/')) mkdirSync(join(home.path, path), { recursive: true })
    else home.put(path, 'mine')
    const before = home.files()
    for (const more of [[], ['--check'], ['--undo']]) {
      const { code, out, err } = await home.setup(['claude', ...more])
      expect([path, more, out + err]).not.toEqual([
        path,
        more,
        expect.stringMatching(/bug|at .*\.ts|ENO|EE/),
      ])
      if (more.length === 0) expect(code).not.toBe(0)
      expect(home.files()).toEqual(before)
    }
  },
)

test('a client whose files cannot be written stays as it is, and the others are set up', async () => {
  using home = world.home()
  home.put('.claude/settings.json', '{}')
  // No copy can be made beside it, as in a folder that is closed to the user.
  mkdirSync(join(home.path, '.claude/settings.json.beckon-backup'))
  const { code, out } = await home.setup(['claude', 'codex'])
  expect(code).toBe(1)
  expect(out).toContain('✗ Claude Code')
  expect(out).toContain('~/.claude/settings.json stays as it is')
  expect(out).toContain('✓ Codex')
  expect(Object.keys(home.files()).filter((name) => name.startsWith('.claude'))).toEqual([
    '.claude/settings.json',
  ])
})
