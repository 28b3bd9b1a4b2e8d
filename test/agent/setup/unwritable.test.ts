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
