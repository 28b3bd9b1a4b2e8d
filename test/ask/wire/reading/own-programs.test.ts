import { expect, test } from 'bun:test'
import { readShellCommand } from '../../../../src/ask/wire/reading/of-ask.ts'
import {
  missingPrograms,
  PROGRAM_KINDS,
  type ProgramKind,
  settle,
  whyNotOwn,
} from '../../../../src/ask/wire/reading/own-programs.ts'
import { rowOf } from '../../../../src/ask/wire/reading/rows/index.ts'
import { SPECIAL } from '../../../../src/ask/wire/reading/special.ts'
import { HOSTILE, HOSTILE_TOOL } from './own-program-spellings.ts'

const settleWith = (text: string, kind: ProgramKind) =>
  settle(readShellCommand(text), [{ name: 'lex', kind }])

test.each([...HOSTILE])('a program that a workspace knows does not make this known: %j', (text) => {
  expect(settleWith(text, 'words').open).not.toEqual([])
  expect(settleWith(text, 'project').open).not.toEqual([])
})

test.each([...HOSTILE_TOOL])(
  'a program that is known as a tool of the project does not make this known: %j',
  (text) => {
    expect(settleWith(text, 'project').open).not.toEqual([])
  },
)

test.each([
  'lex',
  'lex build',
  'lex src/a.lex src/b.lex',
  'lex test:unit --watch -v',
  'lex build MODE=1',
  'lex ./*.lex',
  'cd pkg && lex build',
  'timeout 60 lex build',
  'sudo lex build',
  'bash -c "lex build"',
  'for f in a b; do lex $f; done',
  'lex build && npm test',
  'npm test && lex build 2>&1 | tail -5',
  'lex build > out.log',
  'lex() { npm test; }; lex build',
])('a program that is known as a tool of the project is read to its end: %j', (text) => {
  expect(settleWith(text, 'project').open).toEqual([])
})

test.each([
  'lex',
  'lex replicate db s3://bucket/db --config lex.yml',
  'lex "a text of words" --name=x -o out.bin',
  'cat data | lex > out.json',
  'npm test && lex report',
  'lex a && lex b',
])('a known program that starts nothing is read to its end: %j', (text) => {
  expect(settleWith(text, 'words').open).toEqual([])
})

test('a known program that starts nothing may still write what the project runs next', () => {
  expect(settleWith('lex a && npm test', 'words').open).not.toEqual([])
  expect(settleWith('for f in a b; do npm test; lex $f; done', 'words').open).not.toEqual([])
})

test('a program that a workspace knows leaves every other program as it is', () => {
  const text = 'lex build && other build'
  expect(settleWith(text, 'project').open).toEqual([{ why: 'program', name: 'other' }])
  expect(missingPrograms(readShellCommand(text)).names).toEqual(['lex', 'other'])
})

test('a program that a workspace knows keeps the dangers of its call', () => {
  const { open, dangers } = settleWith('lex "rm -rf build"', 'words')
  expect([open, dangers.length > 0]).toEqual([[], true])
})

test('a program that a workspace knows changes nothing that was read without it', () => {
  for (const text of ['npm test', 'npm test; $x', 'git "$(cat f)"', 'sh -c "$x"', './lex build']) {
    expect(settleWith(text, 'words')).toEqual(readShellCommand(text))
  }
})

test('a program that Beckon knows cannot be added, whatever its spelling', () => {
  const names = [...Object.keys(SPECIAL), 'git', 'npm', 'make', 'rm', 'cd', 'eval', 'export']
  for (const name of names) {
    expect({ name, why: whyNotOwn(name) }).not.toEqual({ name, why: undefined })
  }
  expect(rowOf('git')).toBeDefined()
})

test.each([
  'BASH',
  'Bash.exe',
  'bash-5.2',
  'python3.13',
  'perl5.40',
  'fish',
  'pwsh',
  'parallel',
  'vim',
  'crontab',
  './lex',
  '/usr/bin/lex',
  'lex build',
  'lex;',
  '-lex',
  'l\u0435x',
  '',
  '~lex',
  'a'.repeat(65),
])('a program that starts others, or is no name, cannot be added: %j', (name) => {
  expect(whyNotOwn(name)).toBeString()
})

test('a program that Beckon does not know can be added', () => {
  for (const name of ['litestream', 'lex', 'tusk', 'my-tool_2', 'sqlx']) {
    expect({ name, why: whyNotOwn(name) }).toEqual({ name, why: undefined })
  }
})

test.each<[string, string[], readonly ProgramKind[]]>([
  ['lex build', ['lex'], []],
  ['lex build --out x', ['lex'], ['project']],
  ['lex build && npm test', ['lex'], ['words']],
  ['lex build > "$x"', [], PROGRAM_KINDS],
  ['./lex build', [], []],
  ['npx lex build', [], PROGRAM_KINDS],
  ['vim x', [], PROGRAM_KINDS],
  ['npm test', [], []],
])('a program is offered only where it would leave nothing open: %s', (text, names, tooLittle) => {
  expect(missingPrograms(readShellCommand(text))).toEqual({ names, tooLittle: [...tooLittle] })
})
