import { expect, test } from 'bun:test'
import type { EnforcedRule as Rule } from '../../../src/ask/policy/model/rule.ts'
import { decidedByRule } from '../../../src/ask/policy/model/rule-decision.ts'
import type { QuestionDetail } from '../../../src/ask/questions/model/question.ts'
import { cutMark } from '../../../src/ask/wire/cut-mark.ts'
import { aQuestion } from '../../support/question.ts'

function rule(id: string, match: Rule['match'], decision?: Rule['decision']): Rule {
  return { id: `rule_${id}`, workspaceId: 'ws_1', match, set: {}, decision, createdAt: 0 }
}

const run = (command: string, more: QuestionDetail = {}) =>
  aQuestion('a', {
    detail: { toolName: 'Bash', toolTarget: command.slice(0, 80), action: command, ...more },
  })

const TESTS = rule('1', { toolName: 'Bash', toolTarget: 'npm test*' }, 'allow')

test('a rule that allows decides what it fits, and nothing else', () => {
  expect(decidedByRule([TESTS], run('npm test -- unit'))).toEqual({
    decision: 'allow',
    rule: TESTS,
  })
  expect(decidedByRule([TESTS], run('npm publish'))).toBeUndefined()
  expect(decidedByRule([TESTS], run('npm test', { toolName: 'Write' }))).toBeUndefined()
})

test.each([
  'npm test; curl evil.example',
  'npm test && ./x',
  'npm test || ./x',
  'npm test | sh',
  'npm test > ~/.bashrc',
  'npm test $(./x)',
  'npm test `./x`',
  'npm test & ./x',
  'npm test\n./x',
  'npm test <(./x)',
  // Beyond what a target shows.
  `npm test ${'a'.repeat(90)}; ./x`,
  `npm test ${'a'.repeat(90)}`,
])('a rule that allows does not allow what is joined to its command: %j', (command) => {
  expect(decidedByRule([TESTS], run(command))).toBeUndefined()
})

test.each(['npm testing-evil', 'npm test-evil', 'npm test:evil', 'npm test/../evil', 'npm test.'])(
  'a rule that allows ends where its word ends: %j',
  (command) => {
    expect(decidedByRule([TESTS], run(command))).toBeUndefined()
  },
)

test('a rule that allows ends where it says when that is no word', () => {
  const scripts = rule('scripts', { toolName: 'Bash', toolTarget: 'npm run test:*' }, 'allow')
  expect(decidedByRule([scripts], run('npm run test:unit'))?.decision).toBe('allow')
  expect(decidedByRule([TESTS], run('npm test'))?.decision).toBe('allow')
  const refused = rule('no', { toolName: 'Bash', toolTarget: 'npm test*' }, 'deny')
  expect(decidedByRule([refused], run('npm testing'))?.decision).toBe('deny')
})

test.each(['npm test $EVIL', 'npm test "$@"', 'npm test [a-z]'])(
  'a rule that allows does not allow what the shell makes something else of: %j',
  (command) => {
    expect(decidedByRule([TESTS], run(command))).toBeUndefined()
  },
)

test.each([
  'npm test src/*',
  'npm test a?',
  'npm test {a,b}',
  'npm test ~/x',
  'npm test && npm test x',
])('a rule that allows allows words that are known: %j', (command) => {
  expect(decidedByRule([TESTS], run(command))?.decision).toBe('allow')
})

test.each([
  ['npm *', 'npm ci && npm test', true],
  ['npm *', 'npm ci && ls', false],
  ['npm *', 'npm $(echo publish)', false],
  ['npm *', 'npm run-script publish', false],
  ['./scripts/*', './scripts/check --all', true],
  ['./scripts/*', './scripts/../../../tmp/evil', false],
  ['./scripts/*', './scripts-evil/x', false],
  ['cat src/*', 'cat src/a.ts src/b.ts', true],
  ['cat src/*', 'cat src/a.ts /etc/passwd', false],
  ['cat src/*', 'cat src/../.env', false],
  ['npm test*', 'litestream restore', false],
  ['litestream*', 'litestream restore', false],
])('a rule that allows: a rule for %j on %j: %p', (toolTarget, command, isAllowed) => {
  const one = rule('one', { toolName: 'Bash', toolTarget }, 'allow')
  expect(decidedByRule([one], run(command)) !== undefined).toBe(isAllowed)
})

test.each(['a.ts; b', 'a.ts|b', 'a.ts`b`'])(
  'a rule that allows of a file tool allows no target that is joined: %j',
  (target) => {
    const detail = { toolName: 'Edit', toolTarget: target, action: `Edit ${target}` }
    const exact = rule('exact', { toolName: 'Edit', toolTarget: target }, 'allow')
    expect(decidedByRule([exact], aQuestion('a', { detail }))).toBeUndefined()
  },
)

test.each([
  ['rm -rf /', {}],
  ['npm test', { actionBody: 'npm test\nrm -rf /' }],
  ['git push --force', {}],
])('a rule that allows never allows what looks hard to undo: %j', (command, more) => {
  const all = rule('all', { toolName: 'Bash' }, 'allow')
  expect(decidedByRule([all], run(command, more))).toBeUndefined()
})

const CUT = { cut: 'a'.repeat(64), missing: 12 }
const UNKNOWN = { cut: 'a'.repeat(64) }
const BODY = { actionBody: `npm test${cutMark(900)}` }

test.each([
  ['a command that was cut', 'npm test', CUT],
  ['one that was cut by nobody knows how much', 'npm test', UNKNOWN],
  ['one that the hook cut', 'npm test', BODY],
  ['one with a secret in its place', 'npm test', { action: 'npm test --key ▇▇▇ (API key)' }],
  ['a body with a secret in its place', 'npm test', { actionBody: 'KEY=▇▇▇ (API key)\nnpm test' }],
  ['a target with a secret in its place', 'npm test ▇▇▇ (API key)', {}],
] as const)('a rule that allows never allows %s, whatever it matches', (_, command, more) => {
  const question = run(command, more)
  const byName = rule('name', { toolName: 'Bash' }, 'allow')
  const exact = rule('exact', { toolName: 'Bash', toolTarget: command }, 'allow')
  for (const one of [byName, TESTS, exact]) expect(decidedByRule([one], question)).toBeUndefined()
  const no = rule('no', { toolName: 'Bash' }, 'deny')
  expect(decidedByRule([no], question)?.decision).toBe('deny')
})

test('a rule that allows never allows a tool whose name may have been cut', () => {
  const toolName = 'a'.repeat(100)
  const namedRule = rule('named', { toolName }, 'allow')
  expect(decidedByRule([namedRule], run('npm test', { toolName }))).toBeUndefined()
})

test('a rule that allows allows a command whose action is cut where its body repeats it whole', () => {
  const long = `npm test ${'a'.repeat(600)}`
  const whole = { cut: 'a'.repeat(64), missing: 0, actionBody: long }
  const all = rule('all', { toolName: 'Bash' }, 'allow')
  expect(decidedByRule([all], run(long, whole))?.decision).toBe('allow')
})

test('a rule that allows never widens a scope that a person agreed to', () => {
  expect(decidedByRule([TESTS], run('npm test', { scopePath: 'infra/a.tf' }))).toBeUndefined()
})

const all = rule('2', { toolName: 'Bash' }, 'deny')

test('the most specific decides', () => {
  expect(decidedByRule([all, TESTS], run('npm test'))?.decision).toBe('allow')
  expect(decidedByRule([all, TESTS], run('npm publish'))?.decision).toBe('deny')
})

test('one that says "ask", or nothing, leaves it to the person', () => {
  const ask = rule('3', { toolName: 'Bash', toolTarget: 'npm publish' }, 'ask')
  const silent = rule('4', { toolName: 'Bash', toolTarget: 'npm pack' })
  expect(decidedByRule([all, ask, silent], run('npm publish'))).toBeUndefined()
  expect(decidedByRule([all, ask, silent], run('npm pack'))).toBeUndefined()
})

test('a refusal by a rule holds for what looks hard to undo', () => {
  expect(decidedByRule([all], run('rm -rf /'))?.decision).toBe('deny')
})

test('a rule that declines or asks is for a line in which one command is as it says', () => {
  const match = { toolName: 'Bash', toolTarget: 'git push*' }
  const denies = rule('1', match, 'deny')
  const joined = run('cd sub && git -C x push origin')
  expect(decidedByRule([denies], joined)).toEqual({ decision: 'deny', rule: denies })
  expect(decidedByRule([denies], run('git commit -m "git push"'))).toBeUndefined()
  // Beyond what a target shows.
  expect(decidedByRule([denies], run(`echo ${'a'.repeat(90)}; git push`))?.decision).toBe('deny')
  const all = rule('2', { toolName: 'Bash', toolTarget: 'cd*' }, 'allow')
  const asks = rule('3', match, 'ask')
  expect(decidedByRule([all], run('cd sub && cd x'))?.decision).toBe('allow')
  expect(decidedByRule([all, asks], joined)).toBeUndefined()
  // One that allows stays for the whole line.
  expect(decidedByRule([rule('4', match, 'allow')], joined)).toBeUndefined()
})

test('a rule for a file is for that file alone', () => {
  const denies = rule('1', { toolName: 'Edit', toolTarget: 'a*' }, 'deny')
  const edit = (toolTarget: string) => aQuestion('a', { detail: { toolName: 'Edit', toolTarget } })
  expect(decidedByRule([denies], edit('b a'))).toBeUndefined()
  expect(decidedByRule([denies], edit('a b'))?.decision).toBe('deny')
})
