import { describe, expect, test } from 'bun:test'
import { readGlobs } from '../../src/ask/scopes/model/read-globs.ts'
import { judge } from '../../src/ask/wire/matcher/judge.ts'
import { PROTECTED_PATHS } from '../../src/ask/wire/matcher/protected-paths.ts'
import { page } from './blocks.ts'

const text = await page('docs/scopes.md')

/** The rows of the table that begins with this heading: of each cell, what is in backticks. */
function rows(heading: string): string[][][] {
  const lines = text.split('\n')
  const from = lines.findIndex((line) => line.startsWith(`| ${heading} |`))
  const table = lines.slice(from + 2)
  const end = table.findIndex((line) => !line.startsWith('|'))
  return table.slice(0, end).map((line) =>
    line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => Array.from(cell.matchAll(/`([^`]+)`/g), ([, code = '']) => code)),
  )
}

describe('the examples of how paths are matched', () => {
  const allowed = rows('Allowed')
  const offLimits = rows('Off limits')

  test('are there', () => {
    expect([allowed.length, offLimits.length]).toEqual([10, 4])
  })

  for (const [[glob = ''] = [], list, covered = [], free = []] of [...allowed, ...offLimits]) {
    test(`${glob} becomes what is said`, () => {
      expect(readGlobs([glob])).toEqual({ paths: list ?? [], refused: [] })
      expect([covered.length, free.length]).not.toContain(0)
    })
  }

  for (const [[glob = ''] = [], list = [], covered = [], free = []] of allowed) {
    test(`${glob}, when allowed, covers what is said`, () => {
      const boundary = { allowedPaths: list, offLimitsPaths: [], widened: [] }
      for (const [paths, is] of [
        [covered, 'within'],
        [free, 'outside'],
      ] as const) {
        for (const path of paths) {
          expect([path, judge(boundary, [path], 'write').is]).toEqual([path, is])
        }
      }
    })
  }

  for (const [[glob = ''] = [], list = [], covered = [], free = []] of offLimits) {
    test(`${glob}, when off limits, covers what is said`, () => {
      const boundary = { allowedPaths: [], offLimitsPaths: list, widened: [] }
      for (const [paths, is] of [
        [covered, 'off_limits'],
        [free, 'within'],
      ] as const) {
        for (const path of paths) {
          expect([path, judge(boundary, [path], 'read').is]).toEqual([path, is])
        }
      }
    })
  }
})

test('what is said to be refused is refused', () => {
  const refused = rows('Refused').flatMap(([globs = []]) => globs)
  expect(refused.length).toBeGreaterThan(12)
  for (const glob of refused) {
    const { paths } = readGlobs([glob.replaceAll('\\|', '|')])
    expect([glob, paths]).toEqual([glob, []])
  }
})

test('the list of what is protected is the list', () => {
  const [, section = ''] = text.split('## Protected files')
  const listed = [...section.matchAll(/^\| ([^|`]+) \| ([^|]+) \| ([^|]+) \|$/gm)].flatMap(
    ([, why, never = '', unlessNamed = '']) =>
      [never, unlessNamed].flatMap((cell, at) =>
        Array.from(cell.matchAll(/`([^`]+)`/g), ([, path]) => [path, why, at === 1]),
      ),
  )
  const expected = PROTECTED_PATHS.map(({ path, why, unlessInScope }) => [
    path,
    why,
    unlessInScope === true,
  ])
  expect(listed.sort()).toEqual(expected.sort())
})
