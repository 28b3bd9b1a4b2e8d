import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { chmodSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setupPlace } from '../../../src/agent/client-files/client-setup.ts'
import { shellStarter } from '../../../src/agent/client-files/entries.ts'
import { hookWorld, NOTHING, runHeard, SESSION } from '../../support/hook-world.ts'
import { runCommand } from '../../support/run-command.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { whyNot } from './jail-world.ts'

const why = whyNot()
const MAIN = join(import.meta.dir, '../../../src/main.ts')

describe.skipIf(why !== undefined)(
  `git's objects in a session${why ? ` (skipped: ${why})` : ''}`,
  () => {
    const world = hookWorld()
    const out = tempFolder()
    afterAll(() => {
      world[Symbol.dispose]()
      out[Symbol.dispose]()
    })
    const { project, server } = world
    const starter = join(world.home, 'beckon-shell')
    const env = {
      PATH: process.env.PATH,
      ...world.env,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_AUTHOR_NAME: 'a',
      GIT_AUTHOR_EMAIL: 'a@example.com',
      GIT_COMMITTER_NAME: 'a',
      GIT_COMMITTER_EMAIL: 'a@example.com',
    }

    beforeAll(async () => {
      const program = { command: process.execPath, args: [MAIN] }
      const place = setupPlace(world.env, undefined)
      writeFileSync(starter, shellStarter({ program, place }, 'claude'))
      chmodSync(starter, 0o755)
      world.write('src/a.ts', 'a\n')
      world.write('secrets/key.txt', 'SEKRET\n')
      const script =
        'git init -q -b main . && git add -A && git commit -qm one && echo b >> src/a.ts && git commit -qam two'
      Bun.spawnSync(['sh', '-c', script], { cwd: project, env })
      await world.ratify('claude', { allowedPaths: ['src/**'], offLimitsPaths: ['secrets/**'] })
    })

    /** What the hook says before the command, and what the command prints in the jail. */
    async function tried(command: string) {
      server.asked.length = 0
      const input = world.before('Bash', { command }, { tool_use_id: `u_${command}` })
      const more = { PATH: process.env.PATH, CLAUDE_CODE_SHELL_PREFIX: starter }
      const hook = await runHeard(world, input, { env: more })
      const line = `eval '${command.replaceAll("'", "'\\''")}' < /dev/null`
      const jailed = await runCommand(['timeout', '-s', 'KILL', '20', starter, line], {
        cwd: project,
        env: { ...env, CLAUDE_CODE_SESSION_ID: SESSION },
      })
      const question = server.asked.find(({ ask }) => ask !== undefined)?.ask
      return { hook, question: JSON.stringify(question ?? ''), jailed }
    }

    test.each([
      `git clone -q . ${out.path}/c && cat ${out.path}/c/s*/key.txt`,
      `git worktree add -q --detach ${out.path}/w && cat ${out.path}/w/s*/key.txt`,
      `git bundle create -q ${out.path}/b HEAD && git clone -q ${out.path}/b ${out.path}/bb && cat ${out.path}/bb/s*/key.txt`,
      `git checkout-index -a --prefix=${out.path}/i/ && cat ${out.path}/i/s*/key.txt`,
      'git archive HEAD | tar xO',
      'git log -p',
      'git show "HEAD:$(printf s)ecrets/key.txt"',
    ])('the jail does not hold %s, so a person is asked', async (command) => {
      // A second attempt begins as the first did.
      for (const name of readdirSync(out.path)) {
        rmSync(join(out.path, name), { recursive: true, force: true })
      }
      Bun.spawnSync(['git', 'worktree', 'prune'], { cwd: project, env })
      const { hook, question, jailed } = await tried(command)
      expect(jailed.out).toContain('SEKRET')
      expect(question).toContain('secrets/key.txt')
      expect(hook.out).toContain('"ask"')
      expect(hook.out).toContain('secrets/key.txt')
    })

    test('what reads nothing of it, and what the jail holds, is not asked about', async () => {
      for (const command of [
        'git status',
        'git log -p -1',
        'git diff',
        'git diff HEAD~1',
        `git archive HEAD src > ${out.path}/src.tar`,
        "python3 -c \"print(open('sec' + 'rets/key.txt').read())\"",
      ]) {
        const { hook, jailed } = await tried(command)
        expect([command, hook]).toEqual([command, NOTHING])
        expect(jailed.out).not.toContain('SEKRET')
      }
      expect(existsSync(`${out.path}/src.tar`)).toBe(true)
    })

    test('a yes lets the command run', async () => {
      server.answer = { value: 'yes' }
      const { hook, question } = await tried('git archive HEAD')
      expect(question).toContain('secrets/key.txt')
      expect(hook).toEqual(NOTHING)
    })
  },
)
