import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { DOCS_PAGES } from '../../src/cli/docs-pages.ts'
import { beckon } from '../support/beckon.ts'

const SRC = join(import.meta.dir, '../../src')

/** The lines of the program that are not comments, with their file. */
async function programLines(): Promise<Array<{ file: string; line: string }>> {
  const files = [...new Bun.Glob('**/*.{ts,tsx}').scanSync(SRC)]
  const texts = await Promise.all(files.map((file) => Bun.file(join(SRC, file)).text()))
  return texts.flatMap((text, i) =>
    text
      .split('\n')
      .filter((line) => !/^\s*(\*|\/\/|\/\*)/.test(line))
      .map((line) => ({ file: files[i] ?? '', line })),
  )
}

test('no message names a file of the repository, and each page that one names is there', async () => {
  const lines = (await programLines()).filter(({ file }) => file !== 'cli/docs-pages.ts')
  expect(lines.filter(({ line }) => /\bdocs\/[a-z/-]+\.md/.test(line))).toEqual([])
  const names = lines.flatMap(({ line }) =>
    [...line.matchAll(/beckon docs ([a-z]+(?:-[a-z]+)*)/g)].map((match) => String(match[1])),
  )
  expect(names.length).toBeGreaterThan(10)
  const pages = new Set([...Object.keys(DOCS_PAGES), 'lists'])
  expect(names.filter((name) => !pages.has(name))).toEqual([])
})

test('beckon docs prints each page without paths of files, and lists them all', async () => {
  const { out: list } = await beckon(['docs'])
  for (const name of Object.keys(DOCS_PAGES)) expect(list).toContain(`beckon docs ${name} `)
  const { code, out } = await beckon(['docs', 'https'])
  expect([code, out]).toEqual([0, expect.stringMatching(/^# https\n/)])
  expect(out).toContain('(beckon docs operations)')
  expect(out).not.toMatch(/\]\([^)]*\.md/)
  const wrong = await beckon(['docs', 'htps'])
  expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('did you mean "https"')])
})
