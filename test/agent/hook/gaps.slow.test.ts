import { afterAll, expect, test } from 'bun:test'
import { hookWorld } from '../../support/hook-world.ts'

const world = hookWorld()
afterAll(() => world[Symbol.dispose]())
const { project } = world
const env = {
  PATH: process.env.PATH,
  HOME: world.home,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@example.com',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@example.com',
}

async function gapsOf(offLimitsPaths: string[], more: object = {}) {
  world.server.asked.length = 0
  const input = { doneWhen: 'it works', offLimitsPaths }
  await world.run('claude', world.before('mcp__beckon__propose_scope', input), {
    env: { PATH: env.PATH, ...more },
  })
  return world.server.asked.findLast(({ gaps }) => gaps !== undefined)?.gaps
}

test('before a proposal the server is told how many off-limits files are in the history of git', async () => {
  for (const [name, text] of Object.entries({ '.env': 'a', 'old/a.pem': 'a', 'src/a.ts': 'a' }))
    world.write(name, text)
  const script =
    'git init -q . && git add -A && git commit -qm one && git rm -q old/a.pem && git commit -qm two'
  Bun.spawnSync(['sh', '-c', script], { cwd: project, env })
  expect(await gapsOf(['.env', '**/*.pem'])).toEqual([
    expect.stringContaining('2 off-limits files'),
  ])
  expect(await gapsOf(['.env'])).toEqual([expect.stringContaining('1 off-limits file is')])
  expect(await gapsOf(['lib'])).toEqual([])
  expect(await gapsOf([])).toEqual([])
})

test.skipIf(process.platform !== 'linux')(
  'it is told which programs of the session run already',
  async () => {
    const own = { CLAUDE_CODE_SESSION_ID: crypto.randomUUID() }
    const [daemon, other] = [own, { CLAUDE_CODE_SESSION_ID: 'other' }].map((session) =>
      Bun.spawn(['sleep', '3600'], { env: { ...env, ...session } }),
    )
    try {
      const [said = '', more] = (await gapsOf([], own)) as string[]
      expect(said).toContain(`sleep 3600 (${daemon?.pid})`)
      expect(said).not.toContain(`(${other?.pid})`)
      expect(more).toBeUndefined()
    } finally {
      daemon?.kill()
      other?.kill()
    }
    expect(await gapsOf([], own)).toEqual([])
  },
)
