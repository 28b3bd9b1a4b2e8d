import { type Static, Type } from '@sinclair/typebox'
import { Disagreement } from './paid-check.ts'
import { closed, link, openWord, orNull, textField, texts } from './words.ts'

/** An address that takes a payment per call. */
export const PaidEndpoint = closed({
  url: link('The paid address.'),
  priceUsd: orNull(Type.Number({ minimum: 0, description: 'US dollars a call; null: not known.' })),
  network: textField('Chain id, such as eip155:8453; may be empty.', 100),
})
export type PaidEndpoint = Static<typeof PaidEndpoint>

export const X402_LEVELS = ['yes', 'partial', 'no'] as const

export const X402 = closed(
  {
    level: openWord('Whether calls can be paid one by one.', X402_LEVELS),
    evidence: Type.Optional(textField('What shows it.')),
    endpoints: Type.Array(PaidEndpoint),
    disagreements: Type.Optional(
      Type.Array(Disagreement, { description: 'Where measurements differ from this.' }),
    ),
  },
  'Payment per call with stablecoins under the x402 protocol.',
)
export type X402 = Static<typeof X402>

/** The filter value of records that do not say; not a level itself. */
export const X402_UNKNOWN = 'unknown'

/** The filter value of a record: its level, or `unknown`. */
export function x402Word({ x402 }: { x402?: X402 }): string {
  return x402?.level ?? X402_UNKNOWN
}

/** True if at least some calls can be paid one by one; false for an unknown level. */
export function takesX402(x402: X402 | undefined): x402 is X402 & { level: 'yes' | 'partial' } {
  return x402?.level === 'yes' || x402?.level === 'partial'
}

/** The payments that the publisher of the catalog accepts. */
export const CatalogAccepts = closed({
  asset: textField('Asset that is accepted.', 100),
  docs: link('Documentation of the payments.'),
  facilitator: textField('Address of the facilitator.', 2000),
  live: Type.Boolean({ description: 'Whether payments are taken now.' }),
  networks: texts('Chain ids.', 100),
  payTo: textField('Address of the payee.', 200),
  protocol: Type.Literal('x402'),
  version: Type.Integer({ minimum: 1, description: 'Version of the protocol.' }),
})
export type CatalogAccepts = Static<typeof CatalogAccepts>
