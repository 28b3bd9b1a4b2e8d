import { expect, test } from 'bun:test'
import { x402InText } from '../../../../src/catalog/importers/words/x402-in-text.ts'

test.each([
  ['AdEx API with x402 micropayments.', 'partial'],
  ['Pay per use in USDC on Base via x402. No accounts.', 'partial'],
  ['Seven endpoints. Free tier without a key, x402-gated above it.', 'partial'],
  ['A free, production-ready facilitator for x402 payments.', 'partial'],
  ['Weather for agents.\nCalls accept x402.', 'partial'],
  ['All services accept USDC via x402.', 'yes'],
  ['Databases, auth and storage — all payable via x402. No signups.', 'yes'],
])('%s: %s, with the sentence that says it', (text, level) => {
  const stated = x402InText(text)
  expect(stated?.level).toBe(level as 'yes')
  expect(stated?.evidence.toLowerCase()).toContain('x402')
  expect(text).toContain(stated?.evidence.replace(/^.*“|”$/g, '') ?? 'nothing')
})

test.each([
  'It does not take x402.',
  "We don't support x402 payments.",
  'A key is needed; no x402.',
  'x402 is not supported here.',
  'It no longer accepts x402.',
])('%s: no', (text) => {
  expect(x402InText(text)?.level).toBe('no')
})

test.each([
  'A weather API.',
  'x402 support is coming soon.',
  'We plan to accept x402 next year.',
  'Billing by invoice instead of x402 micropayments.',
  'Unlike x402 services it takes cards.',
  'An SDK to pay for any x402 endpoint.',
  'Analytics for the x402 ecosystem.',
  'A wallet that generates tools for every x402 endpoint you use.',
  'Our office has room ax4021.',
  '',
])('%s: nothing', (text) => {
  expect(x402InText(text)).toBeUndefined()
})

test('a long text without an end is read in bounded time', () => {
  const text = `${'we '.repeat(20_000)}x402${' is'.repeat(20_000)}`
  expect(x402InText(text)).toBeUndefined()
})
