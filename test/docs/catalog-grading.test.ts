import { expect, test } from 'bun:test'
import { defaultMethodology } from '../../src/catalog/grading/default-methodology.ts'
import { page } from './blocks.ts'

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

test('the tables of docs/catalog/grading.md are the methodology', () => {
  expect(rows('Criterion')).toEqual(
    methodology.criteria.map(({ key, weight, question }) => [key, String(weight), question]),
  )
  expect(rows('Grade')).toEqual(methodology.bands.map(({ grade, from }) => [grade, String(from)]))
  const gates = rows('Gate').map(([code, cap]) => [code, cap])
  expect(gates).toEqual(methodology.gates.map(({ code, cap }) => [code, cap]))
})
