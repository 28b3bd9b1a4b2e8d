import { afterAll, expect, test } from 'bun:test'
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { candidatesOf } from '../../../../src/cli/hook/paths/candidates.ts'
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
    const found = candidatesOf(path, at)
    expect(found.outside).toBe(false)
    expect(found.paths).toEqual([path.endsWith('deep/a.ts') ? 'src/new/deep/a.ts' : 'src/a.ts'])
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
