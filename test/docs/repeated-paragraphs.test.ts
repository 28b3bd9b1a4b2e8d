import { expect, test } from 'bun:test'
import { join } from 'node:path'

const ROOT = join(import.meta.dir, '../..')
const PAGES = ['README.md', 'CHANGELOG.md', ...new Bun.Glob('docs/**/*.md').scanSync(ROOT)]
// Shorter lines may well stand twice.
const LONG = 60

/** A page without its examples and the heads of its tables, which may be alike. */
async function proseOf(path: string): Promise<string> {
  const text = await Bun.file(join(ROOT, path)).text()
  return text.replace(/^```[\s\S]*?^```/gm, '```').replace(/^\|.*\n(?=\|-)/gm, '')
}

// Where two changes of one page meet, what both of them hold is easily kept twice.
test.each(PAGES)('%s says nothing twice', async (path) => {
  const lines = (await proseOf(path)).split('\n')
  const paragraphs = lines.filter((line) => line.startsWith('## ') || line.length > LONG)
  expect(paragraphs.filter((line, at) => paragraphs.indexOf(line) < at)).toEqual([])
})

test.each(PAGES)('%s has a blank line before each heading', async (path) => {
  expect((await proseOf(path)).match(/[^\n]\n#{2,4} .*/g) ?? []).toEqual([])
})
