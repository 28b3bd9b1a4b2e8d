// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are lines of programs
import { expect, test } from 'bun:test'
import { withoutComments } from './without-comments.ts'

/** What looks like the beginning of a comment and is none, with code behind it. */
const KEPT = [
  "const all = { accept: '*/*' }; const one = '/* '; process.env.A; const two = ' */'",
  "const glob = 'docs/**'; process.env.A; const other = '**/*.md'",
  'const href = "https://a.test/b"; process.env.A',
  "const said = 'it\\'s // here'; process.env.A",
  'const path = `/a/${name}/**`; process.env.A; const end = `*/`',
  "const nested = `${all.map((one) => `${one} it's /* `)} // `; process.env.A; x = ' */'",
  "const shape = /['\"`]\\/\\*[/*]/; process.env.A; const end = '*/'",
  'const half = a / b / c; process.env.A',
  'const link = <p>https://a.test/b</p>; process.env.A',
]

test.each(KEPT)('what only looks like a comment stays: %s', (line) => {
  expect(withoutComments(line)).toBe(line)
})

const BLANK: [text: string, code: string][] = [
  ['// process.env.A', ''],
  ["const a = 1 // it's `b`", 'const a = 1'],
  ['/* a */ const b = 1', '        const b = 1'],
  ['/**\n * `process.env`, a "b"\n */\nconst c = 1', '\n\n\nconst c = 1'],
  ["f(a, /* it's */ b)", 'f(a,            b)'],
  ['const d = `${a /* b */}`', 'const d = `${a        }`'],
  ['const e = <p>{/* a */}</p>', 'const e = <p>{       }</p>'],
]

test.each(BLANK)('a comment is blank, and lines stay where they are: %s', (text, code) => {
  const trimmed = withoutComments(text).replace(/ +$/gm, '')
  expect(trimmed).toBe(code)
})
