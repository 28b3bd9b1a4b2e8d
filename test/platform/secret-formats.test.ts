import { expect, test } from 'bun:test'
import { redactSecrets } from '../../src/platform/redact/redact.ts'
import { formsOf, keyOf, WITH_OWN_FORM, WITHOUT_OWN_FORM } from '../fixtures/secret-formats.ts'

/** Numbers that look random, the same in every run. */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state >>> 8
  }
}

const next = numbers(41)
const KEYS = formsOf(WITH_OWN_FORM).map((form) => [form, keyOf(form, next)] as const)

for (const [form, key] of KEYS) {
  test(`found by its form: ${form}`, () => {
    const rest = key.replace(/^https:\/\/[^/]+\/(?:[a-z]\w+\/)*/, '')
    for (const text of [`run with ${key} now`, `A=${key}`, `x --y '${key}'`, `{"a":"${key}"}`]) {
      const redacted = redactSecrets(text)
      expect(redacted).not.toContain(rest.slice(-8))
      expect(redacted.replace(/▇▇▇ \([^)]*\)/, '')).toBe(text.replace(rest, ''))
      expect(redactSecrets(redacted)).toBe(redacted)
    }
  })
}

test('a form is looked for where a word begins, and not inside one', () => {
  for (const [, key] of KEYS) {
    if (!/^[a-z]\w*$/.test(key) || key.startsWith('eyJ')) continue
    const inside = `q${key}`
    expect(redactSecrets(inside)).toBe(inside)
  }
})

test('a key without a form of its own is found beside a name', () => {
  for (const form of formsOf(WITHOUT_OWN_FORM)) {
    const key = keyOf(form.slice(form.lastIndexOf(' ') + 1), next)
    expect(redactSecrets(`X_API_KEY=${key}`)).toBe('X_API_KEY=▇▇▇ (key)')
  }
})
