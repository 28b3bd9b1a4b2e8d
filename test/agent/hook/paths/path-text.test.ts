import { expect, test } from 'bun:test'
import { candidatesOf } from '../../../../src/agent/paths/candidates.ts'
import { readPathText, windowsPath } from '../../../../src/agent/paths/path-text.ts'

const VECTORS: [text: string, path: string | undefined][] = [
  ['C:\\w\\src\\a.ts', 'c:/w/src/a.ts'],
  ['c:/w/src/a.ts', 'c:/w/src/a.ts'],
  ['\\\\?\\C:\\w\\a', 'c:/w/a'],
  ['\\\\.\\C:\\w\\a', 'c:/w/a'],
  ['\\??\\C:\\w\\a', 'c:/w/a'],
  ['\\\\?\\UNC\\server\\share\\a', '//server/share/a'],
  ['\\\\server\\share\\a', '//server/share/a'],
  ['src\\a.ts', 'src/a.ts'],
  ['src\\..\\infra\\a', 'src/../infra/a'],
  ['infra\\prod.tf.', 'infra/prod.tf'],
  ['infra\\prod.tf. . ', 'infra/prod.tf'],
  ['infra.\\prod.tf', 'infra/prod.tf'],
  ['infra\\prod.tf:stream', 'infra/prod.tf'],
  ['infra\\prod.tf::$DATA', 'infra/prod.tf'],
  ['infra::$INDEX_ALLOCATION\\prod.tf', 'infra/prod.tf'],
  ['.\\a', './a'],
  ['..\\a', '../a'],
  ['NUL', undefined],
  ['nul.txt', undefined],
  ['C:\\w\\con', undefined],
  ['dir\\COM1.log', undefined],
  ['LPT¹', undefined],
  ['console', 'console'],
  ['com10', 'com10'],
]

for (const [text, path] of VECTORS) {
  test(`${text} is ${path ?? 'a device'} on Windows`, () => {
    expect(windowsPath(text)).toBe(path as string)
  })
}

test('elsewhere a backslash is part of a name, unless it is plainly a path of Windows', () => {
  const machine = { home: '/home/u', windows: false }
  expect(readPathText('a\\b', machine)).toEqual({ text: 'a\\b' })
  expect(readPathText('C:\\w\\a', machine)).toEqual({ text: 'c:/w/a' })
  expect(readPathText('a\\b', { ...machine, windows: true })).toEqual({ text: 'a/b' })
})

test('a device of Windows is no file, and its other spellings are the same file', () => {
  const place = { cwd: 'c:/w', roots: ['C:\\w'], home: 'c:/home', windows: true }
  expect(candidatesOf('NUL', place)).toMatchObject({ paths: [], outside: false })
  for (const path of [
    'C:\\w\\infra\\a',
    'infra\\a::$DATA',
    '\\\\?\\c:\\w\\infra\\a.',
    'infra/x/../a',
  ])
    expect(candidatesOf(path, place)).toMatchObject({ paths: ['infra/a'], outside: false })
  expect(candidatesOf('D:\\w\\infra\\a', place).outside).toBe(true)
})

test('what stands around a path is taken off, and addresses of files are read', () => {
  const machine = { home: '/home/u', windows: false }
  const read: [string, string][] = [
    ['\uFEFFsrc/a', 'src/a'],
    ['"src/a"', 'src/a'],
    ["'src/a'", 'src/a'],
    ['"src/a', '"src/a'],
    ['~', '/home/u'],
    ['~/a', '/home/u/a'],
    ['~root/a', '~root/a'],
    ['a~', 'a~'],
    ['file:///w/a%20b', '/w/a b'],
    ['file://localhost/w/a', '/w/a'],
    ['FILE:///w/%2e%2e/a', '/w/../a'],
    ['file:/w/a', '/w/a'],
    ['file:///C:/w/a', 'c:/w/a'],
    ['file:///w/a#part', '/w/a'],
    [' a', ' a'],
  ]
  for (const [text, path] of read) expect(readPathText(text, machine)).toEqual({ text: path })
  for (const text of ['a\0b', '', '""', 'file:///a%00b', 'file:///%zz', 'file://host/a'])
    expect(readPathText(text, machine)).toHaveProperty('refused')
  expect(readPathText('a/'.repeat(100_000), machine)).toHaveProperty('refused')
})
