import { expect, test } from 'bun:test'
import { Glob } from 'bun'
import fc from 'fast-check'
import { readGlobs } from '../../../src/ask/scopes/model/read-globs.ts'
import { compileGlob, readPath } from '../../../src/ask/wire/matcher/glob.ts'
import { howOften } from '../../support/share.ts'
import { meansPath } from './oracle.ts'

const text = (alphabet: string, most: number) =>
  fc.array(fc.constantFrom(...alphabet), { maxLength: most }).map((chars) => chars.join(''))
const anyText = fc.string({ unit: 'binary', maxLength: 60 })
const glob = fc.oneof(text('ab./*?[]!-', 12), text('a/*', 12), text('aAB/*[]!-', 10))
const path = fc.oneof(text('ab./', 10), text('ab[]*!-', 8))
const many = { numRuns: howOften(300, 3_000) }

test('a glob means what trying everything finds it to mean', () => {
  fc.assert(
    fc.property(glob, path, (glob, path) => {
      expect(compileGlob(glob)(path)).toBe(meansPath(glob, path))
    }),
    { numRuns: howOften(2_000, 20_000) },
  )
})

test('the matcher agrees with Bun.Glob wherever nothing was decided otherwise', () => {
  // Decided otherwise: `a/**` is `a` too, names in brackets, `.` and doubled slashes.
  const name = fc.constantFrom('a', 'b', 'ab', '.a', 'a.b', 'bb')
  const part = fc.constantFrom('a', '*', '?', 'a*', '*b', '?b', '[ab]', '[!a]*', '.*', '*.*', 'a?')
  const across = fc.constantFrom('', '**/')
  const tail = fc.tuple(across, part).map(([across, part]) => across + part)
  const globs = fc.array(tail, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'))
  const paths = fc.array(name, { minLength: 1, maxLength: 5 }).map((names) => names.join('/'))
  fc.assert(
    fc.property(globs, paths, (glob, path) => {
      expect(compileGlob(glob)(path)).toBe(new Glob(glob).match(path))
    }),
    { numRuns: howOften(500, 5_000) },
  )
})

test('any text is a glob that can be held against any text', () => {
  fc.assert(
    fc.property(anyText, anyText, fc.boolean(), (glob, path, fold) => {
      expect(typeof compileGlob(glob, { fold })(path)).toBe('boolean')
    }),
    many,
  )
})

test('a path without `..` matches itself, however it is composed', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      fc.pre(text !== '' && !readPath(text).climbs)
      for (const form of ['NFC', 'NFD'] as const) {
        expect(compileGlob(text)(text.normalize(form))).toBe(true)
        expect(compileGlob(text.normalize(form), { fold: true })(text)).toBe(true)
      }
    }),
    many,
  )
})

test('leaving case out matches no less, but for what a set excludes', () => {
  fc.assert(
    fc.property(text('aAbBßéÉ/*?', 10), text('aAbBßéÉ/', 8), (glob, path) => {
      const folded = compileGlob(glob, { fold: true })
      if (compileGlob(glob)(path)) expect(folded(path)).toBe(true)
      if (folded(path)) expect(folded(path.toLowerCase())).toBe(true)
    }),
    many,
  )
})

test('a wildcard in the place of characters never shrinks what is matched', () => {
  const wilds = fc.array(fc.constantFrom('', '', '?', '*'), { minLength: 9, maxLength: 9 })
  const wider = fc.record({ path: text('ab/', 9), wilds, at: fc.nat(8) })
  fc.assert(
    fc.property(wider, ({ path, wilds, at }) => {
      const signs = Array.from(path, (char, at) => (char === '/' ? char : wilds[at] || char))
      fc.pre(path !== '')
      expect(compileGlob(signs.join(''))(path)).toBe(true)
      if (signs[at] === undefined || signs[at] === '/' || signs[at] === '*') return
      expect(compileGlob(signs.with(at, '*').join(''))(path)).toBe(true)
    }),
    many,
  )
})

test('a list that was read stays as it is when it is read again', () => {
  const globs = fc.array(fc.oneof(text('ab./*{},\\ ', 10), anyText), { maxLength: 6 })
  fc.assert(
    fc.property(globs, (globs) => {
      const { paths, refused } = readGlobs(globs)
      expect(readGlobs(paths)).toEqual({ paths, refused: [] })
      expect(new Set(paths).size).toBe(paths.length)
      for (const { glob, at, why } of refused) {
        expect(globs[at]).toBe(glob)
        expect(why).toStartWith('must ')
      }
    }),
    many,
  )
})

test('what a glob matches, its list matches', () => {
  fc.assert(
    fc.property(text('ab./*?', 10), text('ab./', 10), (glob, path) => {
      const { paths } = readGlobs([glob])
      const covered = paths.some((each) => compileGlob(each)(path))
      if (paths.length > 0 && compileGlob(glob)(path)) expect(covered).toBe(true)
    }),
    many,
  )
})

// Each character of a path is held against a glob once for 32 signs, and against each set in it.
const HOSTILE: [name: string, glob: string, most: number][] = [
  ['the twelve stars that take a backtracking matcher seconds', `${'*a'.repeat(12)}*b`, 1],
  ['stars', `${'*a'.repeat(99)}*b`, 4],
  ['a long run', `*${'a'.repeat(197)}b*`, 7],
  ['questions', `*${'?'.repeat(198)}b`, 7],
  ['sets', `*${'[a-b]'.repeat(39)}c*`, 2],
  ['stars across', `${'**/a/'.repeat(39)}b`, 2],
  ['stars across and inside', `${'**/*a*b/'.repeat(24)}b`, 26],
  ['only stars across', '**/'.repeat(66), 1],
]
const PATHS: [name: string, path: string][] = [
  ['one name', 'a'.repeat(4096)],
  ['2048 names', `${'a/'.repeat(2047)}a`],
  ['long names', `${'a'.repeat(100)}/`.repeat(40)],
  [
    'other names',
    Array.from({ length: 2048 }, (_, at) => String.fromCodePoint(0x4e00 + at)).join('/'),
  ],
]
for (const [name, glob, most] of HOSTILE) {
  test(`${name}: at most ${most} steps for each character of a path`, () => {
    for (const [, path] of PATHS) {
      const meter = { steps: 0 }
      compileGlob(glob, { meter })(path)
      expect(meter.steps).toBeLessThanOrEqual(most * (path.length + 40))
    }
  })
}

test('no glob takes more steps than its length times that of the path', () => {
  const hostile = text('ab*?[-]/', 60)
  fc.assert(
    fc.property(hostile, fc.oneof(text('ab/', 80), anyText), (glob, path) => {
      const meter = { steps: 0 }
      compileGlob(glob, { meter })(path)
      expect(meter.steps).toBeLessThanOrEqual((glob.length + 1) * (path.length + 1))
    }),
    many,
  )
})

test('braces that stand for millions are refused, and nested ones are not followed further', () => {
  const bombs = [
    '{a,b}'.repeat(40),
    '{a,'.repeat(66) + '}'.repeat(66),
    `${'{'.repeat(99)}${'}'.repeat(99)}`,
  ]
  for (const bomb of [...bombs, `{${','.repeat(198)}}`, '{{a,b},{c,d}}'.repeat(15)]) {
    const { paths, refused } = readGlobs([bomb])
    expect(paths.length).toBeLessThanOrEqual(128)
    expect(paths.length === 0).toBe(refused.length === 1)
  }
})
