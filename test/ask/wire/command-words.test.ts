import { expect, test } from 'bun:test'
import { commandWords, startsCommand } from '../../../src/ask/wire/command-words.ts'
import { readShellCommand } from '../../../src/ask/wire/reading/of-ask.ts'

function starts(pattern: string, command: string): boolean {
  const reading = readShellCommand(command, { isShell: true })
  return startsCommand(pattern, commandWords([command], reading, false))
}

test.each([
  'terraform apply -auto-approve',
  'cd infra && terraform apply',
  'sudo terraform apply',
  '/usr/local/bin/terraform apply',
  'terraform -chdir=infra apply',
  'terraform -chdir infra --no-color apply',
  'A=1 terraform "apply"',
  't\\erraform apply',
  "$'terraform' apply",
  'bash -c "terraform apply"',
  'x=$(terraform apply)',
  'for i in 1 2; do terraform apply; done',
  'ssh host terraform apply',
  'ls | xargs terraform apply',
  'TOKEN=ghp_0123456789abcdefghijABCDEFGHIJ456789 terraform apply',
  'mytool; terraform apply',
])('terraform apply* is in: %s', (command) => {
  expect(starts('terraform apply*', command)).toBe(true)
})

test.each([
  'terraform plan',
  'terraform plan -out apply',
  'echo terraform apply',
  'git commit -m "terraform apply"',
  'grep -r "terraform apply" docs',
  'cat terraform apply',
])('terraform apply* is not in: %s', (command) => {
  expect(starts('terraform apply*', command)).toBe(false)
})

test('a line of thousands of options is taken for one that holds it', () => {
  const line = `${'terraform -x '.repeat(20)}${'-y '.repeat(20_000)}`
  expect(starts('terraform apply*', `$Z ${line}`)).toBe(true)
})

test.each([
  ['git push*', 'git stash push', false],
  ['git push*', 'git -C sub push origin main', true],
  ['git push', 'cd a && git push', true],
  ['git push', 'cd a && git push origin', false],
  ['npm test *', 'cd a && npm test -- x', true],
  ['npm test *', 'cd a && npm testing', false],
  ['rm*', 'cd a; rm -rf b', true],
  ['./scripts/*', 'cd a; ./scripts/x.sh', true],
] as const)('%s in %s: %p', (pattern, command, expected) => {
  expect(starts(pattern, command)).toBe(expected)
})

test.each([
  ['npm test', false, true],
  ['npm test', true, false],
  ['npm test && npm test', false, false],
  ['npm test\nnpm test', false, false],
] as const)('%j, cut: %p, is one command: %p', (command, isCut, expected) => {
  const reading = readShellCommand(command, { isShell: true })
  expect(commandWords([command], reading, isCut).isOneCommand).toBe(expected)
})
