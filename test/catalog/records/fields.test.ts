import { describe, expect, test } from 'bun:test'
import { ALL_FIELDS } from '../../../src/catalog/records/fields/fields.ts'

/** The values that occur more than once. */
function repeated<T>(values: readonly T[]): T[] {
  return values.filter((value, i) => values.indexOf(value) !== i)
}

describe('record fields', () => {
  test('have members of their own in the file and in the record', () => {
    expect(repeated(ALL_FIELDS.flatMap(({ written }) => Object.keys(written)))).toEqual([])
    expect(repeated(ALL_FIELDS.flatMap(({ served }) => Object.keys(served)))).toEqual([])
  })

  test('have a place of their own in each output', () => {
    const lines = ALL_FIELDS.flatMap(({ page, compare, markdown, slim, mcp }) => [
      ...(page ? [`${page.section} ${page.place}`] : []),
      ...(compare ? [`compare ${compare.place}`] : []),
      ...(markdown ? [`markdown ${markdown.place}`] : []),
      ...(slim ? [`slim ${slim.place}`] : []),
      ...(mcp ?? []).map(({ quoted, place }) => `mcp ${quoted} ${place}`),
    ])
    expect(repeated(lines)).toEqual([])
    expect(lines.length).toBeGreaterThan(ALL_FIELDS.length)
  })
})
