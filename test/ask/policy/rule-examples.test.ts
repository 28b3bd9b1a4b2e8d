import { expect, test } from 'bun:test'
import type { RuleMatch } from '../../../src/ask/policy/model/rule-match.ts'
import { examplesOfRule } from '../../../src/ask/policy/rule-examples.ts'

const of = (match: RuleMatch, decision: 'allow' | 'deny' | 'ask' = 'allow') =>
  examplesOfRule({ match, set: {}, decision })

test.each<[RuleMatch]>([
  [{ toolName: 'Bash', toolTarget: 'npm test*' }],
  [{ toolName: 'Bash', toolTarget: 'git log *' }],
  [{ toolName: 'Bash', toolTarget: './scripts/*' }],
  [{ toolName: 'Bash', toolTarget: 'cat src/*' }],
  [{ toolName: 'Bash' }],
  [{ toolTarget: 'npm test' }],
  [{ toolName: 'Edit', toolTarget: 'src/*' }],
  [{ toolName: 'Bash', toolTarget: 'npm test*', repoKey: 'shop', agentName: 'Codex - shop' }],
])('a rule that allows shows what it would allow, and what not: %p', (match) => {
  const { would = [], wouldNot = [] } = of(match) ?? {}
  expect([would.length > 0, wouldNot.length > 0]).toEqual([true, true])
})

test('a prefix shows that other words may follow, and other commands may not', () => {
  const { would, wouldNot } = of({ toolName: 'Bash', toolTarget: 'npm test*' }) ?? {}
  expect(would).toContain('npm test')
  expect(wouldNot?.every((command) => command !== 'npm test')).toBe(true)
})

test('a rule that would allow nothing near its target shows that', () => {
  for (const toolTarget of ['rm -rf*', 'lex build*']) {
    const { would, wouldNot } = of({ toolName: 'Bash', toolTarget }) ?? {}
    expect([toolTarget, would, wouldNot?.length]).toEqual([toolTarget, [], 2])
  }
})

test('without a permission there is nothing to show', () => {
  expect(of({ toolName: 'Bash', toolTarget: 'npm test*' }, 'deny')).toBeUndefined()
  expect(of({ toolName: 'Bash', toolTarget: 'npm test*' }, 'ask')).toBeUndefined()
  expect(of({ agentName: 'Codex - shop' })).toBeUndefined()
})
