import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hookWorld, SESSION } from '../../support/hook-world.ts'
import { runCommand } from '../../support/run-command.ts'
import { until } from '../../support/until.ts'
import { whyNot } from './jail-world.ts'

const why = whyNot()
const MAIN = join(import.meta.dir, '../../../src/main.ts')

// What a program could make to be run outside later.
const NEW = [
  '.claude/settings.local.json',
  '.claude/settings.json',
  '.claude/agents/a.md',
  '.claude/skills/a/SKILL.md',
  '.claude/commands/a.md',
  '.mcp.json',
  '.codex/config.toml',
  '.github/hooks/a.json',
  '.vscode/tasks.json',
  '.cursor/hooks.json',
  '.opencode/plugins/a.js',
  '.opencode/tools/a.ts',
  'opencode.json',
  '.envrc',
  '.git/commondir',
  '.git/info/attributes',
  '.git/hooks/pre-commit',
]

function canMount(): boolean {
  return Bun.spawnSync(['unshare', '--mount', '--map-root-user', 'true']).success
}

describe.skipIf(why !== undefined)(
  `names that do not exist yet${why ? ` (skipped: ${why})` : ''}`,
  () => {
    const world = hookWorld()
    afterAll(() => world[Symbol.dispose]())
    const { project, home } = world
    const env = {
      PATH: process.env.PATH,
      ...world.env,
      CLAUDE_CODE_SESSION_ID: SESSION,
      GIT_AUTHOR_NAME: 'a',
      GIT_AUTHOR_EMAIL: 'a@example.com',
      GIT_COMMITTER_NAME: 'a',
      GIT_COMMITTER_EMAIL: 'a@example.com',
    }
    const shell = (command: string, options: string[] = []) => {
      const words = [process.execPath, MAIN, 'jail', '--session', 'claude', ...options]
      return runCommand([...words, '--', 'bash', '-c', command], { cwd: project, env })
    }
    const makeAll = NEW.map((path) => `mkdir -p $(dirname ${path}); echo bad > ${path}`).join('\n')
    const contents = () =>
      readdirSync(project, { recursive: true })
        .map(String)
        .filter((path) => !/^\.git\/(objects|logs|refs|index|COMMIT_EDITMSG)/.test(path))
        .sort()
    const after = () =>
      world.run('claude', {
        ...world.event('PostToolUse', {
          tool_name: 'Bash',
          tool_input: { command: 'true' },
          tool_use_id: 'toolu_1',
        }),
      })

    beforeAll(async () => {
      for (const name of ['.codex', '.copilot', '.vscode', '.cursor', '.config/opencode'])
        mkdirSync(join(home, name), { recursive: true })
      mkdirSync(join(home, '.config/direnv'))
      world.write('src/a.ts', 'a')
      Bun.spawnSync(['git', 'init', '-q', '-b', 'main', '.'], { cwd: project, env })
      rmSync(join(project, '.git/hooks'), { recursive: true })
      Bun.spawnSync(['sh', '-c', 'git add -A; git commit -qm one'], { cwd: project, env })
      await world.ratify('claude', { allowedPaths: [], offLimitsPaths: ['.env'] })
    })

    for (const options of [[], ['--no-namespaces']]) {
      const way = options.length === 0 ? 'with namespaces' : 'with Landlock alone'

      test(`${way} a program makes none of them, and nothing of it stays`, async () => {
        const before = contents()
        const { code } = await shell(`${makeAll}\necho new > src/b.ts`, options)
        expect(code).toBe(0)
        await after()
        rmSync(join(project, 'src/b.ts'))
        expect(contents().filter((path) => !before.includes(path))).toEqual([])
        expect(before.filter((path) => !contents().includes(path))).toEqual([])
      })

      test(`${way} what is beside them in a folder that exists is kept from it, too`, async () => {
        world.write('.claude/CLAUDE.md', 'c')
        await shell(makeAll, options)
        await after()
        expect(readdirSync(join(project, '.claude'))).toEqual(['CLAUDE.md'])
        rmSync(join(project, '.claude'), { recursive: true })
      })

      test(`${way} git sees none of them`, async () => {
        world.write('.claude/CLAUDE.md', 'c')
        const { out, err } = await shell(
          'git status --porcelain; git rev-parse --abbrev-ref HEAD; git log --format=%s; git worktree list | wc -l; git stash list; git fsck',
          options,
        )
        expect({ out, err }).toEqual({ out: '?? .claude/\nmain\none\n1\n', err: '' })
        await after()
        rmSync(join(project, '.claude'), { recursive: true })
      })
    }

    test('placeholders stay while a process of the command is left, and another command keeps them', async () => {
      const later = 'sleep 1; echo bad > .mcp.json; mkdir .claude/x; sleep 1'
      await shell(`setsid sh -c '${later}' > /dev/null 2>&1 & sleep 0.1`)
      expect(existsSync(join(project, '.claude'))).toBe(true)
      await after()
      expect(existsSync(join(project, '.claude'))).toBe(true)
      await shell(makeAll)
      await Bun.sleep(1_500)
      await until(async () => {
        await after()
        return !existsSync(join(project, '.claude'))
      })
      expect(existsSync(join(project, '.mcp.json'))).toBe(false)
      expect(readdirSync(join(world.state, 'placeholders'))).toEqual([])
    })

    test('a command that was killed leaves them to the next one', async () => {
      await shell('kill -KILL $$')
      expect(existsSync(join(project, '.claude'))).toBe(true)
      await world.ratify('claude', { allowedPaths: ['src'] })
      await shell('true')
      expect(existsSync(join(project, '.claude'))).toBe(false)
    })

    test('where they cannot be written down none is made, and the rest is held', async () => {
      await world.ratify('claude', { allowedPaths: [], offLimitsPaths: ['.env'] })
      const folder = join(world.state, 'placeholders')
      rmSync(folder, { recursive: true, force: true })
      writeFileSync(folder, '')
      const mounts = 'grep -c "$PWD " /proc/self/mountinfo; ls -A; mv .git moved'
      const { out } = await shell(mounts)
      expect(out.split('\n').slice(1)).toEqual(['.git', 'src', ''])
      // The project itself and its `.git` are mounted where namespaces are allowed.
      expect(Number(out.split('\n')[0])).toBe(canMount() ? 1 : 0)
      rmSync(folder)
    })

    test('a scope that names one allows it', async () => {
      const allowedPaths = ['src', '.claude/skills/**', '.claude/skills']
      await world.ratify('claude', { allowedPaths })
      mkdirSync(join(project, '.claude/skills'), { recursive: true })
      await shell('echo good > .claude/skills/a.md; echo bad > .claude/settings.json')
      expect(readFileSync(join(project, '.claude/skills/a.md'), 'utf8')).toBe('good\n')
      await after()
      expect(readdirSync(join(project, '.claude'))).toEqual(['skills'])
      writeFileSync(join(project, '.claude/skills/a.md'), '')
    })
  },
)
