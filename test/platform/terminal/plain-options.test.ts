import { expect, test } from 'bun:test'
import { parseArgs } from 'node:util'
import fc from 'fast-check'
import { readPlainOptions } from '../../../src/platform/terminal/plain-options.ts'

const OPTIONS = {
  port: { type: 'string' },
  tag: { type: 'string', multiple: true },
  json: { type: 'boolean' },
} as const
const words = fc.constantFrom('--port', '--tag', '--json', '--port=1', '--no-json', '--toString')
const others = fc.constantFrom('a', '', '-', '--', '-p', '-1', '8484', '__proto__', '--__proto__')

test('what is read plainly is read as parseArgs reads it', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(words, others), { maxLength: 6 }), (args) => {
      const plain = readPlainOptions(args, OPTIONS)
      if (!plain) return
      const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true })
      expect(plain).toEqual({ values: { ...values }, positionals })
    }),
  )
})

test('options of every kind are read plainly', () => {
  const args = ['a', '--port', '1', '--tag', 'x', '--json', '--tag', 'y', 'b', '--port', '2']
  const values = { port: '2', tag: ['x', 'y'], json: true }
  expect(readPlainOptions(args, OPTIONS)).toEqual({ values, positionals: ['a', 'b'] })
  for (const other of [['--port=1'], ['--port'], ['--port', '--json'], ['-j'], ['--'], ['--no']])
    expect(readPlainOptions(other, OPTIONS)).toBeUndefined()
})
