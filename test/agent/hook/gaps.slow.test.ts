import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { hookWorld, SESSION } from '../../support/hook-world.ts'
import { runCommand } from '../../support/run-command.ts'
import { until } from '../../support/until.ts'

const MAIN = join(import.meta.dir, '../../../src/main.ts')

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

/** A process that nothing here is the parent of. */
async function startApart(more: object): Promise<number> {
  const child = Bun.spawn(['sh', '-c', 'sleep 3600 > /dev/null & echo $!'], {
    env: { ...env, ...more },
    stdout: 'pipe',
  })
  return Number(await new Response(child.stdout).text())
}

test.skipIf(process.platform !== 'linux')(
  'before a proposal the server is told which programs of the session run already',
  async () => {
    const daemon = await startApart({ CLAUDE_CODE_SESSION_ID: SESSION })
    const other = await startApart({ CLAUDE_CODE_SESSION_ID: 'other' })
    try {
      const [notice = '', more] = (await gapsOf([])) as string[]
      expect(notice).toContain(`sleep 3600 (${daemon})`)
      expect(notice).not.toContain(`(${other})`)
      expect(more).toBeUndefined()
    } finally {
      process.kill(daemon)
      process.kill(other)
    }
    await until(async () => ((await gapsOf([])) as string[]).length === 0)
  },
)

// In Codex what is typed into a shell later passes no hook.
test.skipIf(process.platform !== 'linux')(
  'before a proposal the server is told of the children of a client that names neither itself nor the session',
  async () => {
    const client = `
      const shell = Bun.spawn(['sleep', '3600'])
      const words = ['sh', '-c', 'exec "$@"', 'sh', ...process.argv.slice(1)]
      const hook = Bun.spawn(words, { stdin: 'inherit' })
      await hook.exited
      console.log(shell.pid)
      shell.kill()`
    const call = world.before('mcp__beckon__propose_scope', { doneWhen: 'it works' })
    const { out } = await runCommand(
      [process.execPath, '-e', client, process.execPath, MAIN, 'hook', 'codex'],
      { env: { PATH: env.PATH, ...world.env }, cwd: project, stdin: JSON.stringify(call) },
    )
    const { gaps } = world.server.asked.findLast((one) => one.gaps !== undefined) ?? {}
    expect(gaps).toEqual([expect.stringContaining(`sleep 3600 (${out.trim()})`)])
  },
)
