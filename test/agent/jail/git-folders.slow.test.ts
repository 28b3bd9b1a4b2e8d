import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { hookWorld, SESSION } from '../../support/hook-world.ts'
import { runCommand } from '../../support/run-command.ts'
import { whyNot } from './jail-world.ts'

const why = whyNot()
const MAIN = join(import.meta.dir, '../../../src/main.ts')
const mounts = Bun.spawnSync(['unshare', '--mount', '--map-root-user', 'true']).success
const PERSON = [
  '-c',
  'user.name=a',
  '-c',
  'user.email=a@example.com',
  '-c',
  'protocol.file.allow=always',
]

// Programs that git runs are named there.
const NAMES = ['config', 'hooks/pre-commit', 'info/attributes', 'commondir', 'config.worktree']
const FOLDERS = [
  '.git',
  '.git/modules/libs/deep',
  '.git/modules/plain',
  'src/within/.git',
  'src/within/.git/modules/a/b',
]
const OF_WORK_TREES = ['.git/worktrees/other', '.git/modules/libs/deep/worktrees/third']
const EXISTING = FOLDERS.flatMap((folder) => [`${folder}/config`, `${folder}/hooks/pre-commit`])

describe.skipIf(why !== undefined)(`settings of git${why ? ` (skipped: ${why})` : ''}`, () => {
  const world = hookWorld()
  afterAll(() => world[Symbol.dispose]())
  const { project, home } = world
  const env = { PATH: process.env.PATH, ...world.env, CLAUDE_CODE_SESSION_ID: SESSION }

  async function git(folder: string, ...words: string[]) {
    const { code, err } = await runCommand(['git', ...PERSON, ...words], {
      cwd: join(home, folder),
      env,
    })
    if (code !== 0) throw new Error(err)
  }

  beforeAll(async () => {
    await git('.', 'init', '-q', 'origin')
    await git('origin', 'commit', '-q', '--allow-empty', '-m', 'one')
    const origin = join(home, 'origin')
    await git('proj', 'init', '-q')
    await git('proj', 'submodule', 'add', '-q', origin, 'libs/deep')
    await git('proj', 'submodule', 'add', '-q', origin, 'plain')
    await git('proj', 'commit', '-q', '-m', 'one')
    await git('proj', 'worktree', 'add', '-q', '../other')
    await git('proj/libs/deep', 'worktree', 'add', '-q', join(home, 'third'))
    await git('proj', 'init', '-q', 'src/within')
    await git('proj/src/within', 'submodule', 'add', '-q', origin, 'a/b')
    await git('proj/src/within', 'commit', '-q', '-m', 'one')
  })

  /** The paths that a command of the session could write. */
  async function writable(paths: readonly string[], options: string[] = []): Promise<string[]> {
    const each = paths.map(
      (path) => `mkdir -p $(dirname ${path}); echo '# bad' >> ${path} && echo ${path}`,
    )
    const words = [process.execPath, MAIN, 'jail', '--session', 'claude', ...options]
    const shell = ['bash', '-c', `{ ${each.join('\n')}\n} 2>/dev/null; true`]
    const { out } = await runCommand([...words, '--', ...shell], { cwd: project, env })
    return out.split('\n').filter(Boolean)
  }

  test.skipIf(!mounts)(
    `are kept in submodules, other work trees and repositories within${mounts ? '' : ' (skipped: no namespaces)'}`,
    async () => {
      await world.ratify('claude', { allowedPaths: ['src'] })
      const names = FOLDERS.flatMap((folder) => NAMES.map((name) => `${folder}/${name}`))
      const others = OF_WORK_TREES.flatMap((folder) =>
        ['config.worktree', 'commondir', 'gitdir'].map((name) => `${folder}/${name}`),
      )
      expect(await writable([...names, ...others])).toEqual([])
      await world.run(
        'claude',
        world.event('PostToolUse', { tool_name: 'Bash', tool_input: { command: 'x' } }),
      )
      expect(existsSync(join(project, 'src/within/.git/commondir'))).toBe(false)
    },
  )

  test('git files that exist are protected by Landlock alone', async () => {
    await world.ratify('claude', { allowedPaths: ['src'] })
    expect(await writable(EXISTING, ['--no-namespaces'])).toEqual([])
  })

  test.skipIf(!mounts)(
    `git works in a repository within${mounts ? '' : ' (skipped: no namespaces)'}`,
    async () => {
      await world.ratify('claude', { allowedPaths: ['src'] })
      const words = [process.execPath, MAIN, 'jail', '--session', 'claude', '--', 'git', ...PERSON]
      const commit = ['-C', 'src/within', 'commit', '-q', '--allow-empty', '-m', 'two']
      expect(await runCommand([...words, ...commit], { cwd: project, env })).toMatchObject({
        code: 0,
      })
    },
  )
})
