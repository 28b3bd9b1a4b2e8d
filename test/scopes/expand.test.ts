import { expect, test } from 'bun:test'
import { expandPaths } from '../../src/scopes/expand.ts'

const CASES: Array<[string[], string[]]> = [
  [['src'], ['src', 'src/**']],
  [['src/'], ['src', 'src/**']],
  [['src/**'], ['src/**']],
  [['**/secrets'], ['**/secrets', 'secrets']],
  [['**/*.env'], ['**/*.env', '*.env']],
  [
    ['a', 'a', 'a/**'],
    ['a', 'a/**'],
  ],
  [['/'], ['/', '/**']],
]
for (const [given, expanded] of CASES) {
  test(`${given.join(' ')} becomes ${expanded.join(' ')}`, () => {
    expect(expandPaths(given)).toEqual(expanded)
  })
}
