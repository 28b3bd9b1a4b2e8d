import { describe, expect, test } from 'bun:test'
import { compileGlob } from '../../../src/ask/wire/matcher/glob.ts'

/** A glob, the paths that it matches, those that it does not. */
const TABLE: [glob: string, yes: string[], no: string[]][] = [
  ['src', ['src', 'src/', './src'], ['src/a', 'SRC', 'sr', 'srcs', '/src', 'a/src']],
  ['src/**', ['src', 'src/a', 'src/a/b', 'src/.git/config'], ['lib/a', 'srcs/a', 'a/src/b', '']],
  ['./src/**', ['src/a', 'src'], ['lib']],
  ['src/*', ['src/a', 'src/.env', 'src/a b'], ['src', 'src/a/b']],
  ['src/*/c', ['src/b/c'], ['src/c', 'src/a/b/c']],
  ['src/**/c', ['src/c', 'src/a/c', 'src/a/b/c'], ['c', 'src/a/c/d', 'src/cc']],
  ['**', ['', '.', 'a', 'a/b', '.env', 'a/.b/c'], ['/a', '/', '../a', 'a/../b']],
  ['*', ['a', '.a'], ['', 'a/b', '..', '/a']],
  ['**/*', ['a', 'a/b', '.a/.b'], ['', '/a']],
  ['*/**', ['a', 'a/b', 'a/b/c'], ['']],
  ['**/x', ['x', 'a/x', 'a/b/x'], ['x/a', 'ax', '/x']],
  ['**/x/**', ['x', 'a/x', 'x/a', 'a/x/b'], ['a', 'ax/b']],
  ['**/a/**/b', ['a/b', 'x/a/y/b', 'a/b/b', 'b/a/b'], ['b/a', 'a', 'b']],
  ['**/*.pem', ['.ssh/k.pem', 'k.pem', '.pem'], ['k.pem/x', 'k.pe']],
  ['**/.env', ['.env', 'a/.env'], ['.envs', 'env', '.env/x']],
  ['**/.env*', ['.env', '.env.local', 'a/.env.local'], ['a.env']],
  ['*.ts', ['a.ts', '.ts', 'a.b.ts'], ['a.tsx', 'src/a.ts', 'a.TS']],
  ['a*c', ['ac', 'abc', 'abcc', 'a*c'], ['acb', 'a/c']],
  ['a**c', ['ac', 'abc'], ['a/c', 'ab/c']],
  ['***', ['a'], ['a/b', '']],
  ['a?c', ['abc', 'a?c', 'a.c', 'a\u{1f600}c'], ['ac', 'abbc', 'a/c']],
  ['?', ['a', '\u{1f600}', '\u00e9'], ['', 'ab']],
  ['[ab]x', ['ax', 'bx', '[ab]x'], ['cx', 'abx', 'x']],
  ['[a-c]x', ['ax', 'bx', 'cx', '[a-c]x'], ['dx', '-x', 'Ax']],
  ['[!a]x', ['bx', '!x', '[!a]x'], ['ax', 'x']],
  ['[^a]x', ['bx', '^x'], ['ax']],
  ['[a-]x', ['ax', '-x'], ['bx']],
  ['[-a]x', ['ax', '-x'], ['bx']],
  ['[]a]x', [']x', 'ax'], ['[x', 'bx']],
  ['[!]a]x', ['bx', '[x'], [']x', 'ax']],
  ['[z-a]x', ['[z-a]x'], ['ax', 'zx', 'mx']],
  ['[!z-a]x', ['ax'], ['x']],
  ['[a', ['[a'], ['a']],
  ['[]', ['[]'], ['', ']']],
  ['a]', ['a]'], ['a']],
  ['[*]', ['*', '[*]'], ['a']],
  ['[?]', ['?'], ['a']],
  ['[\u{1f600}-\u{1f610}]', ['\u{1f604}'], ['\u{1f620}', '\ud83d']],
  ['app/[id]/page.ts', ['app/[id]/page.ts', 'app/i/page.ts'], ['app/x/page.ts', 'app/id/page.ts']],
  ['app/[id]/**', ['app/[id]', 'app/[id]/a/b', 'app/d/a'], ['app/x/a']],
  ['app/[[...slug]]/*', ['app/[[...slug]]/page.tsx'], ['app/slug/page.tsx']],
  ['app/[...all]/**', ['app/[...all]/x', 'app/./a/x'], ['app/all/x']],
  ['app/(group)/page.ts', ['app/(group)/page.ts'], ['app/group/page.ts']],
  ['a@(b)', ['a@(b)'], ['ab', 'a@b']],
  ['a+(b)', ['a+(b)'], ['ab', 'abb']],
  ['a?(b)', ['a?(b)', 'ax(b)'], ['ab', 'a']],
  ['a*(b)', ['a*(b)', 'axx(b)', 'a(b)'], ['a', 'abb']],
  ['a!(b)', ['a!(b)'], ['ac']],
  ['(a|b)', ['(a|b)'], ['a', 'b']],
  ['{a,b}', ['{a,b}'], ['a', 'b']],
  ['!src/**', ['!src/a'], ['lib/a', 'src/a']],
  ['#a', ['#a'], ['']],
  ['a\\*', ['a\\*', 'a\\b'], ['a*', 'a/b']],
  ['$a^.+', ['$a^.+'], ['a']],
  ['?'.repeat(70), ['x'.repeat(70)], ['x'.repeat(69), 'x'.repeat(71)]],
  [`*${'a'.repeat(64)}b*`, [`${'a'.repeat(80)}b`], ['a'.repeat(80), `${'a'.repeat(63)}b`]],
  ['*/'.repeat(65), ['a/'.repeat(65)], ['a/'.repeat(64), 'a/'.repeat(66)]],
  [`**/${'a/'.repeat(40)}b`, [`${'a/'.repeat(50)}b`], [`${'a/'.repeat(39)}b`]],
  ['', [], ['', 'a', '.', '/']],
  ['.', ['', '.', './'], ['a']],
  ['/', ['/', '//'], ['', 'a', '/a']],
  ['/**', ['/', '/a', '/a/b'], ['a', '']],
  ['/etc/*', ['/etc/hosts', '//etc//hosts'], ['etc/hosts', '/etc', '/etc/a/b']],
  ['a/', ['a', 'a/'], ['a/b']],
  ['a//b', ['a/b', 'a//b', 'a/./b'], ['a/c/b']],
  ['..', [], ['..', 'a']],
  ['src/../a', [], ['a', 'src/../a']],
  ['src/**', [], ['src/../etc/passwd', 'src/..', '../src/a']],
  ['**/..', [], ['a/..', '..']],
  ['...', ['...'], ['..']],
  ['a b', ['a b'], ['ab']],
  ['caf\u00e9', ['caf\u00e9', 'cafe\u0301'], ['cafe']],
  ['cafe\u0301/*', ['caf\u00e9/x', 'cafe\u0301/x'], ['cafe/x']],
  ['caf?', ['caf\u00e9', 'cafe\u0301'], ['caf']],
  ['caf[\u00e9]', ['cafe\u0301'], ['cafe']],
  ['\u1100\u1161', ['\uac00'], ['\u1100']],
  ['\ud800', ['\ud800'], ['\udc00', '']],
  ['\u0130', ['\u0130'], ['i', 'I', '\u0131']],
  ['STRASSE', ['STRASSE'], ['straße', 'strasse']],
]
describe('the table', () => {
  for (const [glob, yes, no] of TABLE) {
    for (const path of yes) {
      test(`${name(glob)} matches ${name(path)}`, () => {
        expect(compileGlob(glob)(path)).toBe(true)
        expect(compileGlob(glob, { fold: true })(path)).toBe(true)
      })
    }
    for (const path of no) {
      test(`${name(glob)} does not match ${name(path)}`, () => {
        expect(compileGlob(glob)(path)).toBe(false)
      })
    }
  }
})

const FOLDED: [glob: string, yes: string[], no: string[]][] = [
  ['SRC/**', ['src/a', 'Src/A', 'src'], ['sr']],
  ['src/*.TS', ['SRC/a.ts', 'src/A.Ts'], ['src/a.tsx']],
  ['[a-c]x', ['Ax', 'bX'], ['Dx']],
  ['[A-C]x', ['ax', 'BX'], ['dx']],
  ['[!a]x', ['bx', 'Bx'], ['ax', 'Ax']],
  ['[A-z]x', ['_x', 'bx'], ['1x']],
  ['caf\u00c9', ['cafe\u0301', 'CAF\u00c9'], ['cafe']],
  ['stra\u00dfe', ['STRASSE', 'strasse', 'STRA\u1e9eE'], ['strase']],
  ['STRASSE', ['stra\u00dfe'], []],
  ['stra?e', ['stra\u00dfe', 'STRA\u00dfE'], ['strase/x']],
  ['\ufb01le', ['FILE', 'file'], ['fle']],
  ['\u03c3', ['\u03a3', '\u03c2'], ['s']],
  ['\u017fecret', ['SECRET', 'secret'], []],
  ['\u212aey', ['key', 'KEY'], []],
  ['\u0130', ['i\u0307', 'I\u0307'], ['i', 'I', '\u0131']],
  ['\u0131', ['\u0131'], ['i', 'I']],
  ['I', ['i'], ['\u0131', '\u0130']],
  ['\u{10400}', ['\u{10428}'], ['\u{10401}']],
]
describe('the table without case', () => {
  for (const [glob, yes, no] of FOLDED) {
    test(`${name(glob)} matches ${yes.map(name).join(' ')}`, () => {
      for (const path of yes)
        expect([path, compileGlob(glob, { fold: true })(path)]).toEqual([path, true])
      for (const path of no)
        expect([path, compileGlob(glob, { fold: true })(path)]).toEqual([path, false])
    })
  }
})

function name(text: string): string {
  return JSON.stringify(text.slice(0, 60)).replace(
    /[^\x20-\x7e]/g,
    (char) => `U+${char.charCodeAt(0).toString(16)}`,
  )
}
