import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readCommandText } from '../../../../src/ask/wire/reading/read.ts'

/** Commands that agents run every day. */
const ORDINARY = readFileSync(join(import.meta.dir, 'ordinary.txt'), 'utf8')
  .trim()
  .split('\n')

test('commands of every day are read to their end, but for one in a hundred', () => {
  expect(ORDINARY.length).toBeGreaterThan(300)
  const open = ORDINARY.filter((text) => readCommandText(text).open.length > 0)
  if (open.length > ORDINARY.length / 100) expect(open).toEqual([])
})
