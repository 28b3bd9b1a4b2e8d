import { expect, test } from 'bun:test'
import { readProposedContract } from '../../../src/ask/scopes/model/read-scope.ts'
import { Failure } from '../../../src/platform/failure.ts'

const INPUT = { doneWhen: 'Tests pass.', sessionId: 's1' }

test('a contract holds the lists as they are gated', () => {
  const paths = {
    allowedPaths: ['./src/', 'docs/*.{md,txt}'],
    offLimitsPaths: ['**/.env', 'infra'],
  }
  expect(readProposedContract({ ...INPUT, ...paths })).toEqual({
    allowedPaths: ['src', 'src/**', 'docs/*.md', 'docs/*.txt'],
    offLimitsPaths: ['**/.env', '.env', 'infra', 'infra/**'],
    doneWhen: 'Tests pass.',
  })
})

test('globs that cannot be rules are refused together, by list and place', () => {
  const paths = { allowedPaths: ['src', '!src/gen'], offLimitsPaths: ['a', 'b', '~/.ssh', 'x\0y'] }
  const read = () => readProposedContract({ ...INPUT, ...paths })
  expect(read).toThrow(Failure)
  const { code, fields, message } = caught(read)
  expect(code).toBe('invalid_input')
  const expected = ['allowedPaths[1]', 'offLimitsPaths[2]', 'offLimitsPaths[3]']
  expect(fields.map(({ field }) => field)).toEqual(expected)
  expect(message).toContain('offLimitsPaths[2] (~/.ssh) must not begin with ~: write it from')
  expect(message).not.toContain('\0')
})

function caught(run: () => unknown): Failure {
  try {
    run()
  } catch (error) {
    if (error instanceof Failure) return error
  }
  throw new Error('nothing was refused')
}
