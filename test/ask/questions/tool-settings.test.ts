import { expect, test } from 'bun:test'
import { exactRule } from '../../../src/ask/policy/model/rule-decision.ts'
import { samenessOf } from '../../../src/ask/questions/model/alike.ts'
import { offersYes } from '../../../src/ask/questions/model/message-parts.ts'
import { isLegible } from '../../../src/ask/questions/model/shown-whole.ts'
import { widens } from '../../../src/ask/wire/tool-settings.ts'
import { aQuestion } from '../../support/question.ts'

const call = (...settings: Array<[name: string, value: string]>) =>
  aQuestion('', {
    detail: {
      toolName: 'Bash',
      action: 'npm test',
      toolTarget: 'npm test',
      ...(settings.length > 0 && {
        toolSettings: settings.map(([name, value]) => ({ name, value })),
      }),
    },
  })

test('a notification that does not name the settings has no Yes, but for those that change nothing', () => {
  expect(offersYes(call())).toBe(true)
  expect(offersYes(call(['timeout', '5000']))).toBe(true)
  expect(offersYes(call(['run_in_background', 'true']))).toBe(false)
})

test('calls with other settings are not the same, and a hidden one is not legible', () => {
  expect(samenessOf(call(['run_in_background', 'true']))).not.toBe(samenessOf(call()))
  expect(isLegible(call(['env', 'A=▇▇▇']))).toBe(false)
  expect(isLegible(call(['env', 'A=1']))).toBe(true)
})

test('what widens a call is never made a rule', () => {
  expect(exactRule(call(['timeout', '5000']))).toBeDefined()
  expect(exactRule(call(['dangerouslyDisableSandbox', 'true']))).toBeUndefined()
})

test.each([
  ['dangerouslyDisableSandbox', 'true', true],
  ['dangerouslyDisableSandbox', 'false', false],
  ['with_escalated_permissions', 'true', true],
  ['sandbox_permissions', 'require_escalated', true],
  ['sandbox_permissions', 'use_default', false],
  ['run_in_background', 'true', false],
  ['timeout', '600000', false],
])('%s: %s', (name, value, is) => {
  expect(widens({ name, value })).toBe(is)
})
