import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { judgeCall } from '../../../src/agent/hook/judge-call.ts'
import { contract, hookWorld } from '../../support/hook-world.ts'

setDefaultTimeout(60_000)

const world = hookWorld()
afterAll(() => world[Symbol.dispose]())
const { project, home } = world
const env = {
  PATH: process.env.PATH,
  HOME: home,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@example.com',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@example.com',
}

function git(...words: string[]): string {
  const { stdout, exitCode, stderr } = Bun.spawnSync(['git', ...words], { cwd: project, env })
  if (exitCode !== 0) throw new Error(stderr.toString())
  return stdout.toString().trim()
}

function commit(name: string, text: string) {
  world.write(name, text)
  git('add', '-A')
  git('commit', '-qm', name)
}

let blob = ''
beforeAll(() => {
  git('init', '-q', '-b', 'main', '.')
  commit('src/a.ts', 'one')
  commit('secrets/key.txt', 'SEKRET')
  blob = git('rev-parse', 'HEAD:secrets/key.txt')
  commit('src/a.ts', 'two')
  commit('src/b.ts', 'three')
  git('branch', 'side', 'HEAD~3')
})

async function judged(command: string, offLimitsPaths = ['secrets/**']) {
  const call = { cwd: project, roots: [project], touches: [], command, toolName: 'Bash' }
  const lists = { allowedPaths: ['**'], offLimitsPaths }
  const scope = { contract: contract(lists), widened: [], roots: [project] }
  return await judgeCall(
    { call, own: { folders: [], files: [] } } as unknown as Parameters<typeof judgeCall>[0],
    scope as unknown as Parameters<typeof judgeCall>[1],
  )
}

const TAKES = [
  'git clone -q . /tmp/x.c',
  `git clone file://${project} /tmp/x.c`,
  `cd /tmp && git clone ${project}`,
  'git -C src clone -q .. /tmp/x.c',
  'git clone --bare -l . /tmp/x.git && git -C /tmp/x.git show HEAD',
  'git clone "$PWD" /tmp/x',
  'git worktree add -q --detach /tmp/x.w',
  'git worktree add /tmp/x.w main~1',
  'git worktree add -b other /tmp/x.w "$REV"',
  'git bundle create -q /tmp/x.b HEAD',
  'git archive HEAD',
  'git archive HEAD | tar xO',
  'git archive -o /tmp/x.tar main',
  'git archive --remote=. HEAD',
  'git checkout-index -a --prefix=/tmp/x/',
  'git read-tree --prefix=copy/ -u HEAD',
  'git cat-file --batch < names',
  'git cat-file --batch --batch-all-objects',
  'git cat-file -p "$HASH"',
  'git fast-export --all',
  'git format-patch -4',
  'git format-patch main~3 --stdout',
  'git format-patch --root HEAD',
  'git format-patch --stdout HEAD HEAD',
  'git format-patch --all HEAD',
  'git format-patch -n 9 HEAD',
  'git format-patch -o /tmp/p side',
  'git log -p',
  'git log -p -4 --all',
  'git log --patch --stat -5',
  'git log -p main~2 -1',
  'git log -U3 --no-merges main',
  'git log -p -S SEKRET',
  'git whatchanged -p',
  'git reflog -p',
  'git show HEAD~2',
  'git show main~2 --format=',
  'git show "HEAD:$(printf s)ecrets/key.txt"',
  'git show $REV',
  'git diff HEAD~3',
  'git diff side main',
  'git diff side...main',
  'git diff side..main -- .',
  'cd src && git diff side -- ..',
  'git diff --cached HEAD~3',
  'git diff $(git merge-base side main)',
  'git diff-tree -p HEAD~2',
  'git diff-tree -r -p side main',
  'git range-diff side main side~1',
  'git grep SEK HEAD',
  'git grep -e SEK HEAD~1 -- .',
  'git grep --cached SEK',
  'git --git-dir=.git --work-tree=/tmp/x checkout -f',
  'git --git-dir .git log -p',
  'GIT_WORK_TREE=/tmp/x git checkout -f',
  'GIT_DIR=$PWD/.git git -C /tmp log -p',
  'git log --patc',
  'git log --uni=3',
  'git difftool -y -x cat HEAD~3',
  'git checkout -p HEAD~3',
  'git -c core.worktree=/tmp/x checkout -f',
  'git -c include.path=/tmp/c checkout -f',
  'git archive "HEAD^{tree}"',
  'git diff "side^{tree}" "main^{tree}"',
  'git show -s "HEAD:$(printf s)ecrets/key.txt"',
  'git checkout -q HEAD~2 && git show',
  'git switch -q --detach main~2; git log -p -1',
  'git reset --soft side && git diff --cached',
  'for i in 1 2 3; do git show; git checkout -q HEAD~1; done',
  'git upload-pack .',
  'git-upload-pack .',
  'git daemon --export-all',
  'git clone --reference . https://example.com/a/b.git /tmp/x',
  'git worktree add --no-checkout /tmp/x.w',
  'git push /tmp/x.git main',
  'git push file:///tmp/x.git main',
  `git -C /tmp/x fetch ${project}`,
  `cd /tmp/x; git pull ${project} main`,
  `git -C /tmp/x remote add o ${project}`,
  'git svn dcommit',
  'git p4 submit',
  'git lfs smudge < x',
  "git -c alias.z='log -p' z",
  "git -c alias.z='!git archive HEAD' z",
  'git $VERB HEAD',
  'bash -c "git archive HEAD"',
  'git rev-list --all | xargs git show',
  'cp -r .git /tmp/x',
  'tar czf /tmp/x.tgz .git',
  'rsync -a .git/ /tmp/x',
]

test.each(TAKES)('%s takes what is off limits', async (command) => {
  expect(await judged(command)).toMatchObject({
    taken: expect.stringContaining('secrets/key.txt'),
  })
})

test('a command that names the hash of an object takes what is off limits', async () => {
  for (const command of [
    `git show ${blob}`,
    `git cat-file -p ${blob}`,
    `git cat-file blob ${blob.slice(0, 8)}`,
    `git show --stat ${blob}`,
    `git archive ${git('rev-parse', 'HEAD:secrets')}`,
    `git diff ${git('rev-parse', 'HEAD:src')} ${git('rev-parse', 'HEAD:secrets')}`,
  ])
    expect([command, await judged(command)]).toMatchObject([command, { taken: expect.any(String) }])
})

const FREE = [
  'git status',
  'git log',
  'git log --oneline -5 --stat',
  'git log -p -1',
  'git log -p -2 -- src',
  'git log -p src',
  'git log -p --since=2099-01-01',
  'git show',
  'git show HEAD~1',
  'git show --stat HEAD~2',
  'git show HEAD~2 --name-only',
  'git show HEAD:src/a.ts',
  'git show HEAD:',
  'git diff',
  'git diff --cached',
  'git diff HEAD',
  'git diff HEAD~1',
  'git diff main..HEAD',
  'git diff side main -- src',
  'git diff --stat side main',
  "git diff HEAD~1 -- ':!package-lock.json'",
  'git checkout -b new && git add -A && git commit -m x',
  'git checkout -q side && git show --stat',
  'git diff --name-only side',
  'git format-patch -1 --stdout',
  'git format-patch HEAD~2',
  'git archive HEAD src',
  'git archive HEAD src/a.ts | tar x',
  'git archive side',
  'git worktree add /tmp/x.w side',
  'git worktree list',
  'git worktree remove /tmp/x.w',
  'git checkout-index --prefix=copy/ src/a.ts',
  'git cat-file -p HEAD',
  'git cat-file -t HEAD',
  'git cat-file -p HEAD:src/a.ts',
  'git grep one',
  'git grep one side',
  'git grep one src',
  'git grep -n one -- src',
  'git grep one HEAD -- src',
  'git clone https://example.com/a/b.git /tmp/x',
  'git clone git@example.com:a/b.git',
  'git fetch origin',
  'git pull origin main',
  'git push origin main',
  'git push -u origin HEAD',
  'git remote add o https://example.com/a/b.git',
  'git add -A && git commit -qm x && git push',
  'git stash; git stash pop',
  'git stash list',
  'git bundle verify x.b',
  'git blame src/a.ts',
  'GIT_PAGER=cat git log -3',
  'git checkout -q side',
  'git merge side',
  'cp -r src /tmp/x',
]

test.each(FREE)('%s takes nothing of it', async (command) => {
  expect(await judged(command)).not.toHaveProperty('taken')
})

test('a repository without off-limits files in its history is not affected', async () => {
  for (const command of TAKES)
    expect([command, await judged(command, ['infra/**', '**/*.pem'])]).not.toHaveProperty('1.taken')
})

test('of a file that only the work tree changed, a jail keeps it', async () => {
  world.write('secrets/key.txt', 'OTHER')
  try {
    const open = expect.stringContaining('secrets/key.txt')
    for (const command of ['git diff', 'git diff HEAD'])
      expect([command, await judged(command)]).toEqual([command, { is: 'within', open }])
    expect(await judged('git diff HEAD~3')).toHaveProperty('taken')
    git('stash', '-q')
    expect(await judged('git stash show -p')).toHaveProperty('taken')
    expect(await judged('git show stash@{0}')).toHaveProperty('taken')
    expect(await judged('git stash show --stat')).not.toHaveProperty('taken')
  } finally {
    git('checkout', '-q', '--', '.')
  }
})

test('what was removed since is in the history', async () => {
  git('switch', '-qc', 'without')
  git('rm', '-q', 'secrets/key.txt')
  git('commit', '-qm', 'without')
  try {
    for (const command of [
      'git clone . /tmp/x',
      'git log -p',
      'git show',
      'git archive main',
      `git show ${blob}`,
    ])
      expect([command, await judged(command)]).toMatchObject([
        command,
        { taken: expect.any(String) },
      ])
    for (const command of [
      'git archive HEAD',
      'git worktree add /tmp/x',
      'git checkout-index -a --prefix=x/',
    ])
      expect([command, await judged(command)]).not.toHaveProperty('1.taken')
  } finally {
    git('switch', '-q', 'main')
  }
})

test('another work tree of the project is not filled with it', async () => {
  const other = join(home, 'other')
  git('worktree', 'add', '-q', other, 'side')
  try {
    for (const command of ['checkout main', 'reset --hard main', 'restore -s main .', 'merge main'])
      expect([command, await judged(`git -C ${other} ${command}`)]).toMatchObject([
        command,
        { taken: expect.any(String) },
      ])
    expect(await judged(`git -C ${other} status`)).not.toHaveProperty('taken')
  } finally {
    git('worktree', 'remove', '--force', other)
  }
})

test('a session in a folder of the repository has its rules from there', async () => {
  const call = { cwd: join(project, 'secrets'), roots: [join(project, 'secrets')], touches: [] }
  const scope = {
    contract: contract({ allowedPaths: ['**'], offLimitsPaths: ['key.txt'] }),
    widened: [],
    roots: call.roots,
  }
  const judgement = await judgeCall(
    { call: { ...call, command: 'git archive HEAD ..' }, own: { folders: [], files: [] } } as never,
    scope as never,
  )
  expect(judgement).toMatchObject({ taken: expect.stringContaining('secrets/key.txt') })
})
