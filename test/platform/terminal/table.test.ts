import { expect, test } from 'bun:test'
import { table } from '../../../src/platform/terminal/terminal.ts'

test('columns stand under each other, however wide their characters are', () => {
  const lines = table(
    ['name', 'where'],
    [
      ['ada', 'x'],
      ['東京', 'x'],
      ['👩‍👩‍👧 é', 'x'],
    ],
  ).split('\n')
  const before = lines.slice(1).map((line) => Bun.stringWidth(line.slice(0, line.indexOf('x'))))
  expect(new Set(before).size).toBe(1)
})
