import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pages } from './blocks.ts'

const ROOT = join(import.meta.dir, '../..')

/** The files and folders of the repository that a page names in backticks. */
function pathsIn(text: string): string[] {
  const paths = text.matchAll(/`((?:src|test|docs|drizzle|examples)\/[^`\s*]*)`/g)
  return [...paths].map((match) => String(match[1]))
}

test('a path in backticks is found, and other code is not one', () => {
  expect(pathsIn('`src/app.ts`, `test/docs/` and `tools/a.yaml`')).toEqual([
    'src/app.ts',
    'test/docs/',
  ])
})

test('every file that the pages for contributors name is there', async () => {
  const all = [...(await pages())].filter(([path]) => /^docs\/contributing\/|^CONTRIB/.test(path))
  const paths = all.flatMap(([page, text]) => pathsIn(text).map((path) => ({ page, path })))
  expect(paths.length).toBeGreaterThan(50)
  expect(paths.filter(({ path }) => !existsSync(join(ROOT, path)))).toEqual([])
})
