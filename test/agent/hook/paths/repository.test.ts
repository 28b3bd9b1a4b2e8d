import { afterAll, expect, test } from 'bun:test'
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { foldsCase } from '../../../../src/agent/paths/case-probe.ts'
import { branchOf, remoteKey, repoKeyOf, rootsOf } from '../../../../src/agent/paths/repository.ts'
import { tempFolder } from '../../../support/temp-folder.ts'

const folder = tempFolder()
afterAll(() => folder[Symbol.dispose]())
const top = realpathSync(folder.path)
const git = Bun.which('git')

function run(cwd: string, ...args: string[]) {
  const settings = [
    '-c',
    'user.name=u',
    '-c',
    'user.email=u@e.org',
    '-c',
    'protocol.file.allow=always',
  ]
  const ended = Bun.spawnSync([git ?? 'git', ...settings, ...args], {
    cwd,
    env: { PATH: '/usr/bin:/bin', HOME: top },
  })
  if (ended.exitCode !== 0) throw new Error(ended.stderr.toString())
}

function repository(name: string, origin?: string): string {
  const path = `${top}/${name}`
  mkdirSync(`${path}/packages/web`, { recursive: true })
  run(path, 'init', '-q')
  run(path, 'commit', '-q', '--allow-empty', '-m', 'start')
  if (origin) run(path, 'remote', 'add', 'origin', origin)
  return path
}

const KEYS: [origin: string, key: string | undefined][] = [
  ['https://github.com/Org/Repo.git', 'github.com/Org/Repo'],
  ['https://user:token@GitHub.com/Org/Repo', 'github.com/Org/Repo'],
  ['https://github.com:443/Org/Repo/', 'github.com/Org/Repo'],
  ['http://host:8080/r.git', 'host:8080/r'],
  ['ssh://git@github.com/Org/Repo.git', 'github.com/Org/Repo'],
  ['ssh://git@github.com:22/Org/Repo.git', 'github.com/Org/Repo'],
  ['ssh://git@[::1]:2222/r.git', '[::1]:2222/r'],
  ['git@github.com:Org/Repo.git', 'github.com/Org/Repo'],
  ['github.com:Org/Repo', 'github.com/Org/Repo'],
  ['git@host:/srv/git/r.git', 'host/srv/git/r'],
  ['git://host//a//b.git', 'host/a/b'],
  ['https://e.org/a@b/c.git', 'e.org/a@b/c'],
  ['https://e.org/r.git?token=x', 'e.org/r'],
  ['/srv/git/r.git', undefined],
  ['../r.git', undefined],
  ['C:\\git\\r', undefined],
  ['file:///srv/git/r.git', undefined],
  ['https://', undefined],
  ['', undefined],
]

for (const [origin, key] of KEYS)
  test(`origin ${origin || '(empty)'} is ${key ?? 'of this machine'}`, () => {
    expect(remoteKey(origin)).toBe(key as string)
  })

test('the longest origin makes a key that fits', () => {
  expect(remoteKey(`https://h/${'a'.repeat(5000)}`)?.length).toBeLessThanOrEqual(200)
})

test.if(git !== null)('a repository is known by its origin, from any folder in it', () => {
  const path = repository('plain', 'https://me:secret@Example.org/team/app.git')
  expect(repoKeyOf(path)).toBe('example.org/team/app')
  expect(repoKeyOf(`${path}/packages/web`)).toBe('example.org/team/app')
  expect(rootsOf(path)).toEqual([path])
  expect(rootsOf(`${path}/packages/web`)).toEqual([`${path}/packages/web`, path])
})

test.if(git !== null)(
  'the worktrees of a repository share its key, and their tops are roots of a session',
  () => {
    const path = repository('main', 'git@example.org:team/app.git')
    run(path, 'worktree', 'add', '-q', '../tree', '-b', 'topic')
    const tree = `${top}/tree`
    expect(repoKeyOf(tree)).toBe('example.org/team/app')
    expect(rootsOf(tree)).toEqual([tree])
    expect(rootsOf(path, tree)).toEqual([path, tree])
    expect(rootsOf(path, repository('foreign'))).toEqual([path])
  },
)

test.if(git !== null)(
  'a repository without an origin is known by its place, and so are its worktrees',
  () => {
    const path = repository('alone')
    run(path, 'worktree', 'add', '-q', '../alone-tree', '-b', 'topic')
    expect(repoKeyOf(path)).toMatch(/^path:[0-9a-f]{32}$/)
    expect(repoKeyOf(`${top}/alone-tree`)).toBe(repoKeyOf(path))
    symlinkSync(path, `${top}/alone-link`)
    expect(repoKeyOf(`${top}/alone-link`)).toBe(repoKeyOf(path))
    expect(repoKeyOf(repository('alone-too'))).not.toBe(repoKeyOf(path))
  },
)

test.if(git !== null)('a submodule has an origin of its own', () => {
  const inner = repository('inner')
  const outer = repository('outer', 'https://example.org/outer.git')
  run(outer, 'submodule', '--quiet', 'add', inner, 'lib')
  run(`${outer}/lib`, 'remote', 'set-url', 'origin', 'https://example.org/inner.git')
  expect(repoKeyOf(`${outer}/lib`)).toBe('example.org/inner')
  expect(rootsOf(`${outer}/lib`)).toEqual([`${outer}/lib`])
  expect(rootsOf(outer, `${outer}/lib`)).toEqual([outer])
})

test.if(git !== null)(
  'the branch is that of the own work tree, or the commit of a detached one',
  () => {
    const path = repository('branches')
    run(path, 'checkout', '-q', '-b', 'feature/tax/größe')
    run(path, 'worktree', 'add', '-q', '../branches-tree', '-b', 'topic')
    run(path, 'worktree', 'add', '-q', '--detach', '../branches-at')
    expect(branchOf(`${path}/packages/web`)).toBe('feature/tax/größe')
    expect(branchOf(`${top}/branches-tree`)).toBe('topic')
    expect(branchOf(`${top}/branches-at`)).toMatch(/^[0-9a-f]{12}$/)
  },
)

test('nothing but a branch or a commit is read from HEAD', () => {
  const path = `${top}/odd-head`
  mkdirSync(`${path}/.git`, { recursive: true })
  const commit = 'a'.repeat(40)
  const heads = [
    '',
    'secret',
    'ref: refs/remotes/x',
    `ref: refs/heads/${'x'.repeat(201)}`,
    `x${commit}`,
  ]
  for (const head of heads) {
    writeFileSync(`${path}/.git/HEAD`, head)
    expect(branchOf(path)).toBeUndefined()
  }
  writeFileSync(`${path}/.git/HEAD`, `${commit}\n`)
  expect(branchOf(path)).toBe('a'.repeat(12))
  expect(branchOf(`${top}/nowhere`)).toBeUndefined()
})

test('a folder without git, and files of git that say nonsense, have a key all the same', () => {
  const path = `${top}/none`
  mkdirSync(path)
  const key = repoKeyOf(path)
  expect(key).toStartWith('path:')
  expect(rootsOf(path)).toEqual([path])
  for (const content of ['', 'gitdir: ', 'gitdir: /nowhere/at/all', 'gitdir: .git', '\0\0']) {
    writeFileSync(`${path}/.git`, content)
    expect(repoKeyOf(path)).toBe(key)
  }
  expect(repoKeyOf(`${top}/missing/folder`)).toStartWith('path:')
})

test('whether case counts is read from a name in the root', () => {
  const names = new Map([['/w/Readme', 'one']])
  const exact = { fileAt: (path: string) => names.get(path), namesIn: () => ['Readme'] }
  const folded = {
    fileAt: (path: string) => (path.toLowerCase() === '/w/readme' ? 'one' : undefined),
    namesIn: () => ['Readme'],
  }
  const both = {
    fileAt: (path: string) =>
      path === '/w/Readme' ? 'one' : path === '/w/rEADME' ? 'two' : undefined,
    namesIn: () => ['Readme'],
  }
  const empty = { fileAt: () => undefined, namesIn: () => ['1', '2'] }
  expect(foldsCase('/w', exact)).toBe(false)
  expect(foldsCase('/w', folded)).toBe(true)
  expect(foldsCase('/w', both)).toBe(false)
  expect(foldsCase('/w', empty, true)).toBe(true)
  expect(foldsCase('/w', empty, false)).toBe(false)
})

test.if(process.platform === 'linux')('this machine tells upper from lower case', () => {
  writeFileSync(`${top}/Name`, '')
  expect(foldsCase(top)).toBe(false)
  expect(foldsCase(top)).toBe(false)
})
