import { expect, test } from 'bun:test'
import { defaultMethodology } from '../../src/catalog/grading/default-methodology.ts'
import { beckon } from '../support/beckon.ts'
import { writeCatalogFolder } from '../support/catalog-folder.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { page, testedBlocks } from './blocks.ts'

const PAGE = 'docs/catalog/grading.md'
const text = await page(PAGE)
const methodology = defaultMethodology()

/** The cells of the table that begins with this heading. */
function rows(heading: string): string[][] {
  const lines = text.split('\n')
  const table = lines.slice(lines.findIndex((line) => line.startsWith(`| ${heading} |`)) + 2)
  return table
    .slice(
      0,
      table.findIndex((line) => !line.startsWith('|')),
    )
    .map((line) => line.split('|').slice(1, -1))
    .map((cells) => cells.map((cell) => cell.trim().replaceAll('`', '')))
}

test('the worked example is what the command prints', async () => {
  const [record] = (await testedBlocks('yaml')).filter((block) => block.page === PAGE)
  const [printed] = (await testedBlocks('text')).filter((block) => block.page === PAGE)
  using folder = tempFolder()
  writeCatalogFolder(folder.path, { 'tools/example-messages.yaml': String(record?.text) })
  const args = ['--explain', 'example-messages', '--on', '2026-11-21']
  const { code, out, err } = await beckon(['catalog', 'grade', folder.path, ...args])
  expect([code, err]).toEqual([0, ''])
  expect(out).toBe(String(printed?.text))
})

test('the tables of docs/catalog-grading.md are the methodology', () => {
  expect(rows('Criterion')).toEqual(
    methodology.criteria.map(({ key, weight, question }) => [key, String(weight), question]),
  )
  expect(rows('Grade')).toEqual(methodology.bands.map(({ grade, from }) => [grade, String(from)]))
  const gates = rows('Gate').map(([code, cap]) => [code, cap])
  expect(gates).toEqual(methodology.gates.map(({ code, cap }) => [code, cap]))
})
