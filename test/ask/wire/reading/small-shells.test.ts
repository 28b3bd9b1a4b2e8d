import { expect, test } from 'bun:test'
import { readCommandText } from '../../../../src/ask/wire/reading/read.ts'

// In a smaller shell than bash `{a,b}` is one word, in whatever text of it.
test.each([
  "sh -c 'grep {a,b} x'",
  `sh -c 'eval "grep {a,b} x"'`,
  `sh -c 'trap "grep {a,b} x" EXIT'`,
  "sh <<'E'\neval 'grep {a,b} x'\nE",
  `dash -c 'f() { eval "grep {a,b} x"; }; f'`,
  `bash -c "sh -c 'eval \\"grep {a,b} x\\"'"`,
])('what means something else in a smaller shell leaves a reading open: %j', (text) => {
  expect(readCommandText(text).open.map(({ why }) => why)).toContain('language')
})

test.each([
  "bash -c 'grep {a,b} x'",
  `bash -c 'eval "grep {a,b} x"'`,
  `sh -c 'bash -c "grep {a,b} x"'`,
  `sh -c 'eval "grep a b x"'`,
  "eval 'grep {a,b} x'",
])('what means the same is read: %j', (text) => {
  expect(readCommandText(text).open).toEqual([])
})
