import { isTestChain } from '../../payments/networks.ts'
import { readOffer } from '../../payments/read-offer.ts'
import type { PaidEndpoint } from '../../records/x402.ts'

type Tell = (field: string, expected: string, found: unknown) => void

/**
 * Ways to pay for one address: the lowest price on each network. A price stands there only for
 * coins that are known to be worth a dollar, and never for those of a test network.
 */
export function readAccepts(
  accepts: readonly unknown[],
  version: 1 | 2,
  url: string,
  tell: Tell,
): PaidEndpoint[] {
  const byNetwork = new Map<string, PaidEndpoint>()
  for (const [i, it] of accepts.entries()) {
    const offer = readOffer(it, version)
    if (typeof offer === 'string') {
      tell(`accepts[${i}]`, `an offer that a client can use (${offer})`, it)
      continue
    }
    const { network, priceUsd: said } = offer
    const priceUsd = said === null || isTestChain(network) ? null : Number(said)
    const known = byNetwork.get(network)
    const isLower = priceUsd !== null && (known?.priceUsd ?? Number.POSITIVE_INFINITY) > priceUsd
    if (!known || isLower) byNetwork.set(network, { url, priceUsd, network })
  }
  return [...byNetwork.values()]
}
