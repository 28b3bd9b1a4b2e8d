import { afterAll, expect, test } from 'bun:test'
import {
  chmodSync,
  closeSync,
  linkSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { candidatesOf } from '../../../../src/agent/paths/candidates.ts'
import { tempFolder } from '../../../support/temp-folder.ts'

const folder = tempFolder()
afterAll(() => folder[Symbol.dispose]())
let places = 0

function place() {
  const top = `${realpathSync(folder.path)}/${++places}`
  const root = `${top}/project`
  mkdirSync(`${root}/src`, { recursive: true })
  mkdirSync(`${root}/infra`)
  mkdirSync(`${top}/elsewhere`)
  writeFileSync(`${root}/src/a.ts`, '')
  return { top, root, at: { cwd: root, roots: [root], home: `${top}/home` } }
}

test('a plain path is relative to its root, whether it is there or not', () => {
  const { root, at } = place()
  for (const path of ['src/a.ts', './src//a.ts', `${root}/src/a.ts`, 'src/new/deep/a.ts']) {
    const candidates = candidatesOf(path, at)
    expect(candidates.outside).toBe(false)
    expect(candidates.paths).toEqual([
      path.endsWith('deep/a.ts') ? 'src/new/deep/a.ts' : 'src/a.ts',
    ])
  }
})

test('a link out of the root is outside, also when what it names is missing', () => {
  const { top, root, at } = place()
  symlinkSync(`${top}/elsewhere`, `${root}/src/out`)
  symlinkSync(`${top}/elsewhere/missing.txt`, `${root}/src/dangling`)
  expect(candidatesOf('src/out/x', at)).toMatchObject({
    outside: true,
    paths: ['src/out/x', `${top}/elsewhere/x`],
  })
  expect(candidatesOf('src/dangling', at)).toMatchObject({
    outside: true,
    paths: ['src/dangling', `${top}/elsewhere/missing.txt`],
  })
})

test('`..` behind a link goes up from where the link leads', () => {
  const { top, root, at } = place()
  mkdirSync(`${top}/elsewhere/deep`)
  symlinkSync(`${top}/elsewhere/deep`, `${root}/src/link`)
  expect(candidatesOf('src/link/../x', at).paths).toEqual(['src/x', `${top}/elsewhere/x`])
})

test('links in a circle and a NUL are refused', () => {
  const { root, at } = place()
  symlinkSync('b', `${root}/a`)
  symlinkSync('a', `${root}/b`)
  expect(candidatesOf('a/x', at).refused).toContain('ELOOP')
  expect(candidatesOf('src/a.ts\0.png', at).refused).toContain('NUL')
})

test('a root that is a link holds what is named by either of its names', () => {
  const { top, root } = place()
  symlinkSync(root, `${top}/by-link`)
  const at = { cwd: `${top}/by-link`, roots: [`${top}/by-link`] }
  expect(candidatesOf('src/a.ts', at)).toMatchObject({ paths: ['src/a.ts'], outside: false })
  expect(candidatesOf(`${root}/src/a.ts`, at)).toMatchObject({ paths: ['src/a.ts'] })
})

test('a chain of links is followed to its end, and 40 of them are enough', () => {
  const { top, root, at } = place()
  symlinkSync(`${top}/elsewhere`, `${root}/l0`)
  for (let link = 1; link <= 45; link++) symlinkSync(`l${link - 1}`, `${root}/l${link}`)
  expect(candidatesOf('l39/x', at).paths).toEqual(['l39/x', `${top}/elsewhere/x`])
  expect(candidatesOf('l40/x', at).refused).toContain('ELOOP')
})

test('a link into the root is judged by where it leads as well', () => {
  const { root, at } = place()
  symlinkSync('../infra', `${root}/src/shared`)
  expect(candidatesOf('src/shared/prod.tf', at)).toMatchObject({
    paths: ['src/shared/prod.tf', 'infra/prod.tf'],
    outside: false,
    absolute: `${root}/infra/prod.tf`,
  })
  symlinkSync(`${root}/infra/new.tf`, `${root}/src/plain.txt`)
  expect(candidatesOf('src/plain.txt', at).paths).toEqual(['src/plain.txt', 'infra/new.tf'])
})

test('a dangling link to a folder that is missing keeps the rest of the path', () => {
  const { top, root, at } = place()
  symlinkSync(`${top}/gone/deep`, `${root}/src/later`)
  expect(candidatesOf('src/later/a/../b', at).absolute).toBe(`${top}/gone/deep/b`)
})

test('a path that climbs out is outside; one that comes back is not', () => {
  const { top, at } = place()
  expect(candidatesOf('../elsewhere/x', at)).toMatchObject({
    paths: [`${top}/elsewhere/x`],
    outside: true,
  })
  expect(candidatesOf('../project/src/a.ts', at)).toMatchObject({ paths: ['src/a.ts'] })
  expect(candidatesOf('/../../../../..', at).absolute).toBe('/')
  expect(candidatesOf('.', at)).toMatchObject({ paths: ['.'], outside: false })
})

test('a folder that begins like the root is not in it', () => {
  const { top, root, at } = place()
  expect(candidatesOf(`${root}-other/x`, at)).toMatchObject({ outside: true })
  expect(candidatesOf(`${top}`, at)).toMatchObject({ paths: [top], outside: true })
})

test('a path is named from the innermost root and from the outer ones', () => {
  const { root } = place()
  mkdirSync(`${root}/packages/web/src`, { recursive: true })
  const at = { cwd: `${root}/packages/web`, roots: [root, `${root}/packages/web`] }
  expect(candidatesOf('src/x', at)).toMatchObject({
    paths: ['src/x'],
    also: ['packages/web/src/x'],
    outside: false,
  })
  expect(candidatesOf('../api/x', at)).toMatchObject({ paths: ['packages/api/x'], also: [] })
})

test('names are compared in one form of Unicode, on both sides', () => {
  const { top } = place()
  const decomposed = `${top}/cafe\u0301`
  mkdirSync(decomposed)
  const at = { cwd: decomposed, roots: [decomposed] }
  expect(candidatesOf('re\u0301sume\u0301.md', at)).toMatchObject({
    paths: ['r\u00e9sum\u00e9.md'],
    outside: false,
  })
  expect(candidatesOf(`${decomposed}/x`, { ...at, roots: [`${top}/caf\u00e9`] }).paths).toEqual([
    'x',
  ])
})

test('a link in decomposed letters is found by its own name', () => {
  const { top, root, at } = place()
  symlinkSync(`${top}/elsewhere`, `${root}/u\u0308ber`)
  expect(candidatesOf('u\u0308ber/x', at).absolute).toBe(`${top}/elsewhere/x`)
})

test('a folder that may not be looked into leaves the path as it is', () => {
  const { root, at } = place()
  mkdirSync(`${root}/closed/in`, { recursive: true })
  chmodSync(`${root}/closed`, 0)
  expect(candidatesOf('closed/in/x', at)).toMatchObject({ paths: ['closed/in/x'], outside: false })
  chmodSync(`${root}/closed`, 0o700)
  expect(candidatesOf('src/a.ts/below/a/file', at).paths).toEqual(['src/a.ts/below/a/file'])
})

test('a path of ten thousand names is read, one without end is refused', () => {
  const { at } = place()
  const long = Array.from({ length: 10_000 }, () => 'a').join('/')
  expect(candidatesOf(long, at)).toMatchObject({ paths: [long], outside: false })
  expect(candidatesOf(`src/${'a/../'.repeat(9_000)}x`, at).paths).toEqual(['src/x'])
  expect(candidatesOf('a/'.repeat(40_000), at).refused).toContain('too long')
  expect(candidatesOf('x'.repeat(5_000), at).outside).toBe(false)
})

test('links that multiply are stopped', () => {
  const { root, at } = place()
  symlinkSync('.', `${root}/self`)
  expect(candidatesOf(`${'self/'.repeat(39)}src/a.ts`, at).absolute).toBe(`${root}/src/a.ts`)
  expect(candidatesOf(`${'self/'.repeat(41)}src/a.ts`, at).refused).toContain('ELOOP')
  symlinkSync('x/'.repeat(1500), `${root}/wide`)
  expect(candidatesOf('wide/'.repeat(2_000), at).paths.length).toBeLessThanOrEqual(2)
})

test('devices are no files, but a link to one is a name in the root', () => {
  const { root, at } = place()
  for (const path of ['/dev/null', '/dev/stdout', '/dev/fd/3', '/dev/tty', '/dev/../dev/null'])
    expect(candidatesOf(path, at)).toMatchObject({ paths: [], outside: false })
  symlinkSync('/dev/null', `${root}/src/void`)
  expect(candidatesOf('src/void', at)).toMatchObject({ paths: ['src/void'], outside: false })
  expect(candidatesOf('/dev/shm/x', at).outside).toBe(true)
  expect(candidatesOf('/dev/nullify', at).outside).toBe(true)
})

test.if(process.platform === 'linux')('the ways around through /proc lead to the same file', () => {
  const { root, at } = place()
  const file = `${root}/src/a.ts`
  for (const path of [
    `/proc/self/root${file}`,
    `/proc/thread-self/root${file}`,
    `/proc/self/task/1/root${file}`,
    `/proc/${process.pid}/root${file}`,
    '/proc/self/cwd/src/a.ts',
    `/proc/${process.pid}/cwd/src/a.ts`,
  ]) {
    const { paths, absolute } = candidatesOf(path, at)
    expect({ path, absolute, in: paths.includes('src/a.ts') }).toEqual({
      path,
      absolute: file,
      in: true,
    })
  }
})

test.if(process.platform === 'linux')('a root under another name is still that root', () => {
  const { root, at } = place()
  const handle = openSync(root, 'r')
  try {
    const candidates = candidatesOf(`/proc/self/fd/${handle}/infra/x`, at)
    expect(candidates).toMatchObject({ paths: ['infra/x'], outside: false })
  } finally {
    closeSync(handle)
  }
})

// Known gaps: what the kernel itself does not tell apart, and what changes after the look.
test('a hard link is not seen', () => {
  const { root, at } = place()
  writeFileSync(`${root}/infra/prod.tf`, '')
  linkSync(`${root}/infra/prod.tf`, `${root}/src/copy`)
  expect(candidatesOf('src/copy', at)).toMatchObject({ paths: ['src/copy'], outside: false })
})

test('a link that is put there after the look is not seen', () => {
  const { top, root, at } = place()
  const before = candidatesOf('src/a.ts', at)
  renameSync(`${root}/src/a.ts`, `${top}/elsewhere/a.ts`)
  symlinkSync(`${top}/elsewhere/a.ts`, `${root}/src/a.ts`)
  expect(before.outside).toBe(false)
  expect(candidatesOf('src/a.ts', at).outside).toBe(true)
  unlinkSync(`${root}/src/a.ts`)
})
