import type { Findings } from '../../../../src/catalog/facts/fact.ts'
import type { PaidFact } from '../../../../src/catalog/facts/x402/check-endpoint.ts'
import { X402_PROBE } from '../../../../src/catalog/facts/x402/fact.ts'
import type { AuthoredTool } from '../../../../src/catalog/records/authored.ts'
import { outside, paidTool, paidVendor } from './paid-vendor.ts'

export const NOON = Date.UTC(2026, 10, 21, 12)
export const probe = X402_PROBE

export async function run(tool: AuthoredTool, memories = new Map<string, unknown>(), now = NOON) {
  return await probe.run(outside, { tool, vendor: undefined, memories }, now)
}

export const factsOf = ({ facts }: Findings) => facts.map(({ value }) => value as PaidFact)
export const listed = (url: string, own = {}) => ({
  ...{ url, priceUsd: 0.01, network: 'eip155:8453' },
  ...own,
})

/** What the probe makes of one address that answers like this. */
export async function answering(answer: (request: Request) => Response | Promise<Response>) {
  await using vendor = paidVendor({ '/paid': answer })
  const [fact] = factsOf(await run(paidTool([listed(`${vendor.url}/paid`)])))
  if (!fact) throw new Error('no fact')
  return { fact, requests: vendor.requests }
}
