import { expect, test } from 'bun:test'
import { dangersOf } from '../../../../src/ask/wire/danger/dangers.ts'
import { readCommandText } from '../../../../src/ask/wire/reading/read.ts'

const times = (count: number, text: string) => Array.from({ length: count }, () => text).join('')
const nested = (count: number, open: string, inside: string, close: string) =>
  times(count, open) + inside + times(count, close)
const LOOP = 'for i in 1 2 3 4 5 6 7 8 9 10 11 12; do '

// Short texts that stand for much: without a bound the reading runs out of memory or time.
const GROWING: Record<string, string> = {
  'a value that doubles': `a=aaaaaaaaaa; ${times(60, 'a=$a$a; ')} rm $a`,
  'a long value that doubles': `a=${times(9_000, 'x')}; ${times(1_000, 'a=$a$a; ')} rm $a`,
  'a value that grows in a loop': `a=x; ${nested(3, LOOP, 'a=$a$a$a', '; done')}; rm "$a"`,
  'arguments that double': `set -- a b; ${times(30, 'set -- "$@" "$@"; ')} ls "$@"`,
  'arguments that functions double': `${Array.from({ length: 20 }, (_, at) => `f${at}() { f${at + 1} "$@" "$@"; }; `).join('')} f0 a b`,
  'functions that call functions': `f0() { ls; }; ${Array.from({ length: 11 }, (_, at) => `f${at + 1}() { f${at}; f${at}; f${at}; f${at}; }; `).join('')} f11`,
  'loops in loops': nested(12, LOOP, 'ls $i', '; done'),
  'braces beside braces': `echo ${times(1_000, '{a,b}')}`,
  'braces in braces': `echo ${nested(5_000, '{a,', 'b', '}')}`,
  'ranges in a row': `echo ${times(2_000, '{1..64} ')}`,
  'substitutions in substitutions': nested(2_000, 'cat <(', 'ls', ')'),
  'arithmetic of many parts': `echo $((${times(9_000, '1+')}1))`,
  'many assignments': times(2_000, 'x=1;'),
  'many values of a variable': times(2_000, 'x=$x;'),
  'many functions': times(1_500, 'f(){ a;};'),
  'many variables': `${Array.from({ length: 900 }, (_, at) => `a${at}=b; `).join('')} ls || ls`,
}

test.each(Object.entries(GROWING))('what grows without end is open: %s', (_, text) => {
  const reading = readCommandText(text)
  expect(reading.open.length).toBeGreaterThan(0)
  expect(reading.words.length).toBeLessThan(10_000)
  expect(reading.commands.length).toBeLessThan(1_000)
  expect(() => dangersOf(reading, text)).not.toThrow()
})
