import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { readTouches } from '../../../src/agent/touches/touches.ts'
import { howOften } from '../../support/share.ts'

const nothing = () => undefined

const words = fc.constantFrom(
  'a',
  '"b c"',
  "'d'",
  '$x',
  '$(e)',
  '`f`',
  'g\\ h',
  '~/i',
  '{j,k}',
  '*',
)
const redirection = fc.tuple(fc.constantFrom('>', '>>', '>|', '&>', '2>', '<>'), words)

test('a redirection to a file is a touch or open, wherever it stands', () => {
  const around = fc.constantFrom(
    (text: string) => text,
    (text: string) => `( ${text} )`,
    (text: string) => `{ ${text}; }`,
    (text: string) => `x=$( ${text})`,
    (text: string) => `echo "$( ${text})"`,
    (text: string) => `if ${text}; then :; fi`,
    (text: string) => `while ${text}; do :; done`,
    (text: string) => `case x in x) ${text};; esac`,
    (text: string) => `f() { ${text}; }; f`,
    (text: string) => `! time ${text} | cat`,
    (text: string) => `cat <( ${text})`,
    (text: string) => `cat <<END\n$( ${text})\nEND`,
    (text: string) => `echo $(( $( ${text}) + 1 ))`,
    (text: string) => `: \${x:-$( ${text})}`,
    (text: string) => `sh -c '${text.replaceAll("'", "'\\''")}'`,
    (text: string) => `eval ${text.replace(/[^\w]/g, '\\$&')}`,
  )
  fc.assert(
    fc.property(redirection, around, around, ([op, word], inner, outer) => {
      const command = outer(inner(`echo x ${op} ${word}`))
      const { touches, open } = readTouches(command, { cwd: '/w', look: nothing })
      if (touches.length === 0 && open === undefined)
        throw new Error(`nothing is said about: ${command}`)
    }),
    { numRuns: howOften(200, 2000) },
  )
})

// Each of them is over at once when the work grows with the length, and never when it does not.
describe('a long command is read to its end, however it nests', () => {
  const hostile = [
    '$('.repeat(20_000),
    '$(('.repeat(20_000),
    '(('.repeat(30_000),
    '('.repeat(60_000),
    '`'.repeat(60_001),
    '"$('.repeat(20_000),
    '${'.repeat(30_000),
    '{a,'.repeat(20_000),
    `echo ${'{a,b}'.repeat(10_000)}`,
    'cd a;'.repeat(10_000),
    'cd a && '.repeat(5_000),
    'cd nowhere; '.repeat(5_000),
    'find -exec '.repeat(6_000),
    'xargs '.repeat(10_000),
    'sudo env time '.repeat(4_000),
    'eval '.repeat(12_000),
    'if '.repeat(20_000),
    'case x in x) '.repeat(6_000),
    'f() { '.repeat(10_000),
    'cat <<A '.repeat(8_000),
    `${'cat <<A\n'.repeat(4_000)}`,
    '[[ '.repeat(20_000),
    '<('.repeat(30_000),
    'a=('.repeat(20_000),
    '@('.repeat(30_000),
    "\\'".repeat(30_000),
    `touch ${'a '.repeat(30_000)}`,
    `cp ${'a '.repeat(30_000)} dir/`,
    `rm ${'\\x'.repeat(60_000)}`,
    `sed -i ${'s/a/b/;'.repeat(9_000)} f`,
    `python -c '${'a '.repeat(30_000)}'`,
    `a${'='.repeat(60_000)}`,
    `${'a'.repeat(60_000)}=(`,
    `echo ${'[a'.repeat(30_000)}`,
    `echo ${'?('.repeat(20_000)}`,
    `echo ${'0'.repeat(60_000)}`,
    `sh -c "sh -c '${'x'.repeat(1000)}'"`,
    `git ${'-C a '.repeat(12_000)} rm x`,
    `tar ${'-C a '.repeat(12_000)} -x`,
    'rm a; '.repeat(10_000),
    'x=1; '.repeat(10_000),
    Array.from({ length: 10_000 }, (_, at) => `x${at}=a`).join(';'),
    'x=a; x=$x$x; '.repeat(5_000),
    `x=a; ${'x=$x$x; '.repeat(5_000)}rm $x`,
    'for f in a b c; do '.repeat(3_000),
    `for f in ${'a '.repeat(30_000)}; do rm $f; done`,
    `${'for f in a b; do '.repeat(30)}rm $f;${'done;'.repeat(30)}`,
    `${'while x; do y=$y1; z=$z1; '.repeat(30)}rm $y;${'done;'.repeat(30)}`,
    'alias a=a; a; '.repeat(4_000),
    `alias a='b b' b='a a'; ${'a '.repeat(10_000)}`,
    'git reset --hard; '.repeat(10_000),
    'git checkout -- a; git clean -fd b; '.repeat(5_000),
    'echo "sh x" | sh; '.repeat(8_000),
    `echo ${'sh -c '.repeat(10_000)} | sh`,
    'beckon setup --undo; '.repeat(8_000),
    'env npx bun x beckon '.repeat(8_000),
    `prettier --write ${'a '.repeat(30_000)}`,
    `git apply <<E\n${'+++ b/a\n'.repeat(20_000)}E`,
    `patch <<E\n${Array.from({ length: 10_000 }, (_, at) => `+++ b/${at}`).join('\n')}\nE`,
    `echo ${'a '.repeat(30_000)} | xargs -I{} rm {}`,
    'xargs -I{} '.repeat(8_000),
  ]
  for (const command of hostile) {
    test(JSON.stringify(command.slice(0, 30)), () => {
      expect(readTouches(command, { cwd: '/w', look: nothing }).touches.length).toBeLessThanOrEqual(
        500,
      )
    })
  }
})

test('a deep nest is open, and so is what is too long or touches too much', () => {
  const open = (command: string) => readTouches(command, { cwd: '/w' }).open
  expect(open(`${'$('.repeat(100)}touch a${')'.repeat(100)}`)).toBeDefined()
  expect(open(`: ${'a'.repeat(300_000)}`)).toBe('it is too long')
  const names = Array.from({ length: 600 }, (_, at) => at).join(' ')
  expect(open(`touch ${names}`)).toBe('it touches too much')
})

test('what is handed from one shell to the next is read once', () => {
  const command = `echo ${'a '.repeat(20_000)} | ${'sh | '.repeat(20_000)} sh`
  expect(readTouches(command, { cwd: '/w', look: nothing }).open).toBeDefined()
})
