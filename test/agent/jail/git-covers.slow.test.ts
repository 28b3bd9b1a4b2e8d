import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { jailWorld, whyNot } from './jail-world.ts'

const why = whyNot()
const LONG_AGO = new Date('2020-01-01')

describe.skipIf(why !== undefined)(
  `git in a repository with off-limits files${why ? ` (skipped: ${why})` : ''}`,
  () => {
    const world = jailWorld()
    afterAll(() => world[Symbol.dispose]())
    const { project } = world
    const scope = ['--write', '.', '--deny', '.env', '--deny', 'infra/prod', '--deny', 'local.env']
    const jailed = (script: string) => world.run([...scope, '--', 'sh', '-c', script])
    const git = (...words: string[]) =>
      Bun.spawnSync(['git', ...words], { cwd: project, env: world.env }).stdout.toString()
    const write = (path: string, text: string) => {
      mkdirSync(dirname(join(project, path)), { recursive: true })
      writeFileSync(join(project, path), text)
    }

    beforeAll(() => {
      write('infra/prod/deep/er/b.tf', 'TOPSECRET\n')
      write('infra/prod/run', '#!/bin/sh\n')
      symlinkSync('m.tf', join(project, 'infra/prod/link'))
      write('infra/prod/m.tf', 'TOPSECRET\n')
      write('.env', 'KEY=TOPSECRET\n')
      git('init', '-q', '-b', 'main', '.')
      Bun.spawnSync(['chmod', '+x', 'infra/prod/run'], { cwd: project })
      for (const name of ['.env', 'infra/prod/m.tf', 'infra/prod/run', 'infra/prod/deep/er/b.tf'])
        utimesSync(join(project, name), LONG_AGO, LONG_AGO)
      git('add', '-A')
      git('commit', '-qm', 'one')
      write('local.env', 'KEY=TOPSECRET\n')
      write('infra/prod/local.tf', 'TOPSECRET\n')
    })

    test('nothing of it is read', async () => {
      const { out } = await jailed(
        'cat .env local.env infra/prod/m.tf infra/prod/deep/er/b.tf infra/prod/local.tf; grep -rs TOP . ; tail -c 5 .env; cp .env /tmp/copy && cat /tmp/copy',
      )
      expect(out).toBe('')
    })

    test('git says of it that it is unchanged', async () => {
      const { code, out, err } = await jailed(
        'git status --porcelain; git diff --stat; git diff HEAD --stat; git update-index --refresh; git ls-files -m -d -o --exclude-standard',
      )
      expect({ code, out, err }).toEqual({ code: 0, out: '', err: '' })
    })

    test('commits, stashes and rebases without it', async () => {
      const { code, out, err } = await jailed(`
        set -e
        echo 2 > src/a.ts; git add -A; git commit -qm two
        echo 3 > src/a.ts; git commit -qam three
        echo 4 > src/a.ts; echo new > src/new.ts; git stash -q -u; git status --porcelain; git stash pop -q; git status --porcelain
        git commit -qam four; git switch -qc other HEAD~2; echo bb > lib/b.ts; git commit -qam five
        git rebase -q main; git log --format=%s; git merge -q main; git reset -q --hard HEAD~1; git checkout -q main; git clean -fdn
        git commit --amend -qm amended; git fsck --no-dangling`)
      expect({ code, err, out }).toEqual({
        code: 0,
        err: '',
        out: ' M src/a.ts\n?? src/new.ts\nfive\nfour\nthree\ntwo\none\nWould remove src/new.ts\n',
      })
      expect(git('log', '--format=', '--name-only', '--', '.env', 'infra', 'local.env')).toBe(
        git(
          'log',
          '--format=',
          '--name-only',
          '--max-count=1',
          git('rev-list', '--max-parents=0', 'HEAD').trim(),
          '--',
          '.env',
          'infra',
        ),
      )
    })

    test('with Landlock alone git sees it as it is', async () => {
      const more = [...scope, '--no-namespaces', '--', 'sh', '-c']
      const { out, err } = await world.run([...more, 'git status --porcelain; git diff --stat'])
      expect({ out, err }).toEqual({
        out: '?? infra/prod/local.tf\n?? local.env\n?? src/new.ts\n',
        err: '',
      })
    })

    test('afterwards git sees what it saw before', () => {
      expect(git('status', '--porcelain')).toBe(
        '?? infra/prod/local.tf\n?? local.env\n?? src/new.ts\n',
      )
      expect(readFileSync(join(project, '.env'), 'utf8')).toBe('KEY=TOPSECRET\n')
      expect(git('fsck', '--no-dangling')).toBe('')
    })
  },
)
