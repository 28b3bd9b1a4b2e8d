import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { dangersOf } from '../../../../src/ask/wire/danger/dangers.ts'
import { readCommandText } from '../../../../src/ask/wire/reading/read.ts'
import { rowNames, rowOf } from '../../../../src/ask/wire/reading/rows/index.ts'

/**
 * What the documentation of the programs in the table names as a way to start another program, to
 * load code or settings from elsewhere, or to write a file that others run. `evil` is a program,
 * `/tmp/evil` a file that nobody has read, ␤ a line break.
 */
const ATTACKS = readFileSync(join(import.meta.dir, 'attacks.txt'), 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => line.replaceAll('␤', '\n'))

test('what a program would start, load or overwrite elsewhere is never read to its end', () => {
  expect(ATTACKS.length).toBeGreaterThan(3_000)
  expect(ATTACKS.filter(isPassed)).toEqual([])
})

function isPassed(text: string): boolean {
  const reading = readCommandText(text)
  return reading.open.length === 0 && dangersOf(reading, text).length === 0
}

// Options by which programs often start others, load code, or write a file.
const GENERIC =
  '--exec=evil --command=evil --shell=evil --pager=evil --editor=evil --rsh=evil --eval=evil --run=evil --hook=evil --plugin=/tmp/evil --require=/tmp/evil --preload=/tmp/evil --import=/tmp/evil --loader=/tmp/evil --config=/tmp/evil --configuration=/tmp/evil --init-file=/tmp/evil --out=/etc/x --log-file=/etc/x'.split(
    ' ',
  )

// A dialect that scripts are checked for.
const HARMLESS = ['shellcheck --shell=evil']

test('no row of the table takes such an option as harmless', () => {
  const programs = rowNames().filter((name) => {
    const row = rowOf(name)
    return !name.startsWith('python -m') && !row?.takesAny && row?.does !== 'says'
  })
  const texts = programs.flatMap((name) => GENERIC.map((option) => `${name} ${option}`))
  expect(texts.length).toBeGreaterThan(10_000)
  expect(texts.filter(isPassed)).toEqual(HARMLESS)
})
