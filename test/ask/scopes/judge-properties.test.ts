import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { type Boundary, judge, type Touch } from '../../../src/ask/wire/matcher/judge.ts'
import { protect } from '../../../src/ask/wire/matcher/protected-paths.ts'
import { howOften } from '../../support/share.ts'

const text = (alphabet: string, most: number) =>
  fc.array(fc.constantFrom(...alphabet), { maxLength: most }).map((chars) => chars.join(''))
const rule = fc.oneof(
  text('ab/*', 6),
  text('aA/*?[!]', 6),
  fc.constantFrom('**', 'a', 'a/b/**', '/a'),
)
const rules = fc.array(rule, { maxLength: 3 })
const path = fc.oneof(text('ab/', 6), text('aA./', 7), fc.constantFrom('a/b', 'a', '.', '/a/b'))
const paths = fc.array(path, { minLength: 1, maxLength: 3 })
const touch = fc.constantFrom<Touch>('read', 'write', 'delete', 'tree')
const boundary: fc.Arbitrary<Boundary> = fc.record({
  allowedPaths: rules,
  offLimitsPaths: rules,
  widened: fc.array(path, { maxLength: 2 }),
})
const options = fc.record({ fold: fc.boolean(), roots: fc.constantFrom([], ['/r'], ['/r', '/a']) })
const many = { numRuns: howOften(400, 4_000) }

// From what stops most to what stops least.
const RANK = { off_limits: 0, outside: 1, within: 2 }

test('one rule more of what is off limits never lets more through', () => {
  fc.assert(
    fc.property(boundary, rule, paths, touch, options, (boundary, rule, paths, touch, options) => {
      const more = { ...boundary, offLimitsPaths: [...boundary.offLimitsPaths, rule] }
      const [before, after] = [boundary, more].map((each) => judge(each, paths, touch, options).is)
      expect(RANK[after ?? 'within']).toBeLessThanOrEqual(RANK[before ?? 'within'])
    }),
    many,
  )
})

test('one rule more of what is allowed, or one path widened, never lets less through', () => {
  fc.assert(
    fc.property(
      boundary,
      rule,
      path,
      paths,
      touch,
      options,
      (boundary, rule, path, paths, touch, options) => {
        fc.pre(boundary.allowedPaths.length > 0)
        const before = RANK[judge(boundary, paths, touch, options).is]
        const allowed = { ...boundary, allowedPaths: [...boundary.allowedPaths, rule] }
        const widened = { ...boundary, widened: [...boundary.widened, path] }
        for (const more of [allowed, widened]) {
          expect(RANK[judge(more, paths, touch, options).is]).toBeGreaterThanOrEqual(before)
        }
      },
    ),
    many,
  )
})

test('what is off limits stays so, whatever is allowed or widened', () => {
  fc.assert(
    fc.property(boundary, paths, touch, options, (boundary, paths, touch, options) => {
      fc.pre(judge(boundary, paths, touch, options).is === 'off_limits')
      const open = { ...boundary, allowedPaths: ['**', '/**'], widened: paths }
      expect(judge(open, paths, touch, options).is).toBe('off_limits')
    }),
    many,
  )
})

test('one name more for a path never lets more through', () => {
  fc.assert(
    fc.property(boundary, paths, path, touch, options, (boundary, paths, other, touch, options) => {
      const before = RANK[judge(boundary, paths, touch, options).is]
      const after = RANK[judge(boundary, [...paths, other], touch, options).is]
      expect(after).toBeLessThanOrEqual(before)
    }),
    many,
  )
})

test('a whole folder is never freer than one file in it, and reading never less free', () => {
  const folder = text('ab/', 5).filter((path) => /^[^/]/.test(path))
  const inner = fc.record({ folder, name: fc.constantFrom('a', 'b') })
  fc.assert(
    fc.property(boundary, inner, options, (boundary, { folder, name }, options) => {
      fc.pre(boundary.widened.every((path) => path.replaceAll('/', '') === ''))
      const at = (path: string, touch: Touch) => RANK[judge(boundary, [path], touch, options).is]
      if (at(folder, 'tree') === RANK.within) {
        expect(at(`${folder}/${name}`, 'write')).not.toBe(RANK.outside)
      }
      expect(at(folder, 'tree')).toBeLessThanOrEqual(at(folder, 'write'))
      expect(at(folder, 'write')).toBeLessThanOrEqual(at(folder, 'read'))
    }),
    many,
  )
})

test('case makes no difference to what is off limits', () => {
  fc.assert(
    fc.property(rules, text('aAbB/', 6), touch, (offLimitsPaths, path, touch) => {
      fc.pre(!offLimitsPaths.some((rule) => rule.includes('[')))
      const boundary = { allowedPaths: ['**'], offLimitsPaths, widened: [] }
      const judgements = [path, path.toUpperCase(), path.toLowerCase()].map(
        (each) => judge(boundary, [each], touch).is,
      )
      expect(new Set(judgements).size).toBe(1)
    }),
    many,
  )
})

test('any texts at all get a judgement that names one of the candidates', () => {
  const any = fc.string({ unit: 'binary', maxLength: 30 })
  const lists = fc.array(any, { maxLength: 4 })
  fc.assert(
    fc.property(lists, lists, lists, lists, touch, (allowed, off, widened, candidates, touch) => {
      const boundary = { allowedPaths: allowed, offLimitsPaths: off, widened }
      const judgement = judge(protect(boundary), candidates, touch, { fold: true, roots: ['/r'] })
      if (judgement.is !== 'within') expect(candidates).toContain(judgement.path)
    }),
    many,
  )
})
