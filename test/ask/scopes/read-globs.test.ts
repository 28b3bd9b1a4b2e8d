import { expect, test } from 'bun:test'
import { readGlobs } from '../../../src/ask/scopes/model/read-globs.ts'

const CASES: [given: string[], paths: string[]][] = [
  [['src'], ['src', 'src/**']],
  [['src/'], ['src', 'src/**']],
  [['./src'], ['src', 'src/**']],
  [[' src/app '], ['src/app', 'src/app/**']],
  [['src\\app'], ['src/app', 'src/app/**']],
  [['src//app/./x'], ['src/app/x', 'src/app/x/**']],
  [['src/a.ts'], ['src/a.ts', 'src/a.ts/**']],
  [['src/**'], ['src/**']],
  [['src/**/'], ['src/**']],
  [['src/**/**/x*'], ['src/**/x*']],
  [['src/*'], ['src/*']],
  [['src/*/'], ['src/*', 'src/*/**']],
  [['*.ts'], ['*.ts']],
  [['packages/*/src'], ['packages/*/src']],
  [['**'], ['**']],
  [['**/'], ['**']],
  [['.'], ['**']],
  [['./'], ['**']],
  [['**/secrets'], ['**/secrets', 'secrets']],
  [['**/secrets/'], ['**/secrets', 'secrets', '**/secrets/**', 'secrets/**']],
  [['**/*.env'], ['**/*.env', '*.env']],
  [['**/infra/**'], ['**/infra/**', 'infra/**']],
  [
    ['a', 'a', 'a/**'],
    ['a', 'a/**'],
  ],
  [
    ['b', 'a'],
    ['b', 'b/**', 'a', 'a/**'],
  ],
  [['/'], ['/', '/**']],
  [['/etc'], ['/etc', '/etc/**']],
  [['/etc/hosts/'], ['/etc/hosts', '/etc/hosts/**']],
  [['/var/*/'], ['/var/*', '/var/*/**']],
  [['C:\\code\\app'], ['/c/code/app', '/c/code/app/**']],
  [['app/[id]'], ['app/[id]', 'app/[id]/**']],
  [['app/(group)/page.tsx'], ['app/(group)/page.tsx', 'app/(group)/page.tsx/**']],
  [['app/(..)photo'], ['app/(..)photo', 'app/(..)photo/**']],
  [['app/@modal/(.)photo'], ['app/@modal/(.)photo', 'app/@modal/(.)photo/**']],
  [['a!b~c'], ['a!b~c', 'a!b~c/**']],
  [['{{cookiecutter.name}}'], ['{{cookiecutter.name}}', '{{cookiecutter.name}}/**']],
  [['src/*.{ts,tsx}'], ['src/*.ts', 'src/*.tsx']],
  [['{a,b/{c,d}}*'], ['a*', 'b/c*', 'b/d*']],
  [['a{,b}*'], ['a*', 'ab*']],
  [['a{b}*'], ['a{b}*']],
  [['a{b{c,d}}*'], ['a{bc}*', 'a{bd}*']],
  [['{a,a}*'], ['a*']],
  [['{a*, b*}'], ['a*', 'b*']],
  [['a b/c d*'], ['a b/c d*']],
  [['cafe\u0301/*'], ['caf\u00e9/*']],
]
for (const [globs, paths] of CASES) {
  test(`${JSON.stringify(globs)} becomes ${paths.join(' ')}`, () => {
    expect(readGlobs(globs)).toEqual({ paths, refused: [] })
    expect(readGlobs(paths)).toEqual({ paths, refused: [] })
  })
}

const REFUSED: [glob: string, why: RegExp][] = [
  ['', /empty/],
  ['   ', /empty/],
  ['\u200b', /empty/],
  ['infra\u200b/**', /invisible/],
  ['infra\u200d/**', /invisible/],
  ['in\ufefffra', /invisible/],
  ['in\u00adfra', /invisible/],
  ['in\u3164fra', /invisible/],
  ['інфра\u2060', /invisible/],
  ['!src/**', /begin with !/],
  ['~', /begin with ~/],
  ['~/x', /begin with ~/],
  ['~root/x', /begin with ~/],
  ['$HOME/x', /variable/],
  ['$' + '{PWD}/x', /variable/],
  ['..', /contain \.\./],
  ['../x', /contain \.\./],
  ['a/../b', /contain \.\./],
  ['a\\..\\b', /contain \.\./],
  ['{..,a}/b', /contain \.\./],
  ['a/{b,../c}', /contain \.\./],
  ['a\0b', /control/],
  ['a\nb', /control/],
  ['a\u202eb', /control/],
  ['a\ud800b', /half a character/],
  ['a@(b)', /groups/],
  ['+(a|b)', /groups/],
  ['a/!(b)/*', /groups/],
  ['*(a)', /groups/],
  ['?(a)', /groups/],
  ['a{b', /brace/],
  ['a}b{', /brace/],
  ['{1..3}', /ranges/],
  ['{,a}', /empty path/],
  ['a /b', /spaces/],
  ['src/{a, b}', /spaces/],
  ['./ ../x', /spaces/],
  ['{!a,b}', /exceptions/],
  ['{a,~/b}', /begin with ~/],
  ['\u2064\\/', /empty|invisible/],
  ['**/\u200b/x', /invisible/],
  ['[[:alpha:]]', /named sets/],
  ['app/\\[id\\]/x', /escape/],
  ['file:///etc', /address/],
  ['https://x.example/a', /address/],
  ['{a,b}'.repeat(40), /64/],
]
for (const [glob, why] of REFUSED) {
  test(`${JSON.stringify(glob).slice(0, 40)} is no rule`, () => {
    const { paths, refused } = readGlobs(['ok*', glob])
    expect(paths).toEqual(['ok*'])
    expect(refused).toEqual([{ glob, at: 1, why: expect.stringMatching(/^must /) }])
    expect(refused[0]?.why).toMatch(why)
  })
}

test('choices within choices are counted once', () => {
  const nested = '{{a,b},{c,d},{e,f},{g,h},{i,j},{k,l},{m,n}}*'
  expect(readGlobs([nested]).paths).toEqual(Array.from('abcdefghijklmn', (char) => `${char}*`))
})

test('braces make 64 globs of one, and 512 of a list, but no more', () => {
  const sixtyFour = '{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}'
  expect(readGlobs([`${sixtyFour}*`]).paths).toHaveLength(64)
  expect(readGlobs([`${sixtyFour}{c,d}*`]).paths).toHaveLength(0)
  const many = Array.from({ length: 40 }, (_, at) => `${at}${sixtyFour}`)
  const { paths, refused } = readGlobs(many)
  expect(paths).toHaveLength(4 * 128)
  expect(refused).toHaveLength(36)
  expect(refused[0]?.why).toMatch(/512/)
})

test('what comes out stays as it is, drives and odd beginnings too', () => {
  expect(readGlobs(['C:']).paths).toEqual(['/c', '/c/**'])
  for (const glob of [
    'C:',
    '{C:,D:}/a',
    './C:/x',
    '**/C:/x',
    'C:/',
    '{C,D}:',
    '**/C:',
    '**/~*',
    '**/!a/',
  ]) {
    const { paths, refused } = readGlobs([glob])
    expect([glob, refused, readGlobs(paths).paths]).toEqual([glob, [], paths])
  }
})
