import { afterAll, expect, test } from 'bun:test'
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readJailOptions } from '../../../src/agent/commands/jail.ts'
import { areasOf, coveredBy, type Mode } from '../../../src/agent/jail/areas.ts'
import { gitFolderOf } from '../../../src/agent/jail/git-folders.ts'
import { HELPER_SOCKETS } from '../../../src/agent/jail/helper-sockets.ts'
import { cText } from '../../../src/agent/jail/kernel.ts'
import { seatbeltProfile } from '../../../src/agent/jail/macos.ts'
import { programImage, type Step } from '../../../src/agent/jail/program-image.ts'
import { STATE_FOLDERS, stateFolders } from '../../../src/agent/jail/state-folders.ts'
import { type WorkTree, workTreeOf } from '../../../src/agent/paths/repository.ts'
import { WrongUsage } from '../../../src/platform/failure.ts'
import { page } from '../../docs/blocks.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const folder = tempFolder()
afterAll(() => folder[Symbol.dispose]())
const at = (path: string) => join(folder.path, path)
for (const name of ['p/src/gen', 'p/lib', 'p/secret/in', 'q'])
  mkdirSync(at(name), { recursive: true })
writeFileSync(at('p/.env'), '')
symlinkSync(at('p/lib'), at('p/src/link'))
const areas = (paths: Array<[string, Mode]>) =>
  areasOf(paths.map(([path, mode]) => [at(path), mode])).map(({ path, mode }) => [
    path.slice(folder.path.length + 1),
    mode,
  ])

test('the innermost area counts, and of two for one path the stricter', () => {
  const paths: Array<[string, Mode]> = [
    ['p/src', 'write'],
    ['p', 'write'],
    ['p/lib', 'read'],
    ['p/lib', 'write'],
    ['p/secret', 'none'],
    ['p/secret/in', 'write'],
    ['p/missing', 'write'],
    ['q', 'read'],
  ]
  expect(areas(paths)).toEqual([
    ['p', 'write'],
    ['p/lib', 'read'],
    ['p/secret', 'none'],
  ])
})

test('a link is where it leads', () => {
  expect(areas([['p/src/link', 'write']])).toEqual([['p/lib', 'write']])
})

test('without namespaces a folder with an exception is replaced by what is in it', () => {
  const areas = areasOf([
    [at('p'), 'write'],
    [at('p/lib'), 'read'],
    [at('p/secret'), 'none'],
  ])
  expect(coveredBy(areas, false).sort()).toEqual([at('p/.env'), at('p/src')])
  const readable = coveredBy(areas, true)
  expect(readable).toContain(at('p/lib'))
  expect(readable).not.toContain(at('p/secret'))
  expect(readable).not.toContain('/')
})

test('the profile of macOS goes from the outermost area to the innermost', () => {
  const areas = areasOf([
    [at('p'), 'write'],
    [at('p/lib'), 'read'],
    [at('p/.env'), 'none'],
    [at('p/secret'), 'none'],
  ])
  expect(seatbeltProfile(areas, ['/dev/null']).replaceAll(folder.path, '')).toBe(`(version 1)
(allow default)
(deny file-write*)
(allow file-write* (subpath "/dev/null"))
(allow file-write* (subpath "/p"))
(deny file-read* file-write* (literal "/p/.env"))
(deny file-write* (subpath "/p/lib"))
(deny file-read* file-write* (subpath "/p/secret"))
`)
})

test('a quote in a path ends no rule of the profile', () => {
  const area = { path: '/a" (allow default) \\', mode: 'write', isFolder: true } as const
  expect(seatbeltProfile([area], [])).toContain(
    '(allow file-write* (subpath "/a\\" (allow default) \\\\"))',
  )
})

test('a variable counts only as the path of a cache', () => {
  const from = (env: object) => stateFolders({ HOME: '/home/u', ...env })
  expect(from({ TMPDIR: '/var/folders/x/T' })).toContain('/var/folders/x/T')
  for (const path of ['/', '/home', '/home/u', '/home/u/.ssh', 'tmp', '/home/u/work'])
    expect(from({ TMPDIR: path })).toEqual(from({}))
})

test('the page lists every folder and socket', async () => {
  const text = await page('docs/jail.md')
  const rows = [...text.matchAll(/^\| (\w[\w ,-]*) \| ((?:`[^`]+`(?:, )?)+) \|/gm)]
  const listed = rows.map(([, name, cells]) => [
    String(name),
    [...String(cells).matchAll(/`([^`]+)`/g)].map(([, one]) => String(one)),
  ])
  const all: object = { ...STATE_FOLDERS, ...HELPER_SOCKETS }
  expect(Object.fromEntries(listed)).toEqual(all as Record<string, string[]>)
})

test('a .git file opens no folder that knows nothing of it', () => {
  for (const name of ['repo/.git/objects', 'repo/.git/refs', 'evil'])
    mkdirSync(at(name), { recursive: true })
  writeFileSync(at('repo/.git/HEAD'), 'ref: refs/heads/main\n')
  writeFileSync(at('evil/.git'), `gitdir: ${at('repo/.git')}\n`)
  expect(gitFolderOf(workTreeOf(at('repo')) as WorkTree)).toBe(at('repo/.git'))
  expect(gitFolderOf(workTreeOf(at('evil')) as WorkTree)).toBeUndefined()
  mkdirSync(at('repo/.git/worktrees/evil'), { recursive: true })
  writeFileSync(at('repo/.git/worktrees/evil/gitdir'), `${at('evil/.git')}\n`)
  expect(gitFolderOf(workTreeOf(at('evil')) as WorkTree)).toBe(at('repo/.git'))
})

const MACHINES = [
  ['x64', [], { openat: 257, write: 1, close: 3, exit_group: 231, chdir: 80 }],
  ['arm64', ['qemu-aarch64'], { openat: 56, write: 64, close: 57, exit_group: 94, chdir: 49 }],
] as const

for (const [arch, by, numbers] of MACHINES) {
  const isHere = by.length > 0 ? by.every((name) => Bun.which(name)) : process.arch === arch
  const runs = process.platform === 'linux' && isHere
  test.skipIf(!runs)(
    `the small program runs on ${arch}${runs ? '' : ' (skipped: not here)'}`,
    () => {
      const line = Buffer.from('line\n')
      const say = (words: string): Step => ({
        call: 'write',
        words: [1, Buffer.from(words), words.length],
      })
      const open: Step = { call: 'openat', words: [-100, cText(at(arch)), 0o101, 0o644] }
      const bad: Step = { call: 'chdir', words: [cText('/no/such/folder')] }
      const image = programImage(arch, numbers as never, [
        open,
        { call: 'write', words: [{ by: open }, line, line.length] },
        { call: 'close', words: [{ by: open }] },
        bad,
        say('goes on\n'),
        { ...bad, orElse: [say('ends\n'), { call: 'exit_group', words: [7] }] },
        say('too far\n'),
        { call: 'exit_group', words: [0] },
      ])
      const file = Buffer.alloc((image?.dataAt ?? 0) + (image?.data.length ?? 0))
      file.set(image?.head ?? [], 0)
      file.set(image?.data ?? [], image?.dataAt)
      writeFileSync(at(`${arch}.program`), file)
      chmodSync(at(`${arch}.program`), 0o755)
      const ran = Bun.spawnSync([...by, at(`${arch}.program`)])
      expect([ran.exitCode, ran.stdout.toString()]).toEqual([7, 'goes on\nends\n'])
      expect(readFileSync(at(arch), 'utf8')).toBe('line\n')
    },
  )
}

test('options are read the same, plainly written or not', async () => {
  const plain = ['--write', 'a', '--write', 'b', '--env', 'A=--x', '--no-state']
  const read = { write: ['a', 'b'], env: ['A=--x'], 'no-state': true }
  expect(await readJailOptions(plain)).toEqual(read)
  const other = ['--write=a', '--write', 'b', '--env=A=--x', '--no-state']
  expect(await readJailOptions(other)).toEqual(read)
  expect(await readJailOptions(['--session', 'x', '--session', 'claude'])).toEqual({
    session: 'claude',
  })
  for (const wrong of [
    ['--wirte', 'a'],
    ['--write'],
    ['--write', '--deny'],
    ['a'],
    ['--toString', 'a'],
  ])
    await expect(readJailOptions(wrong)).rejects.toThrow(WrongUsage)
})
