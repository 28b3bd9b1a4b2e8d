/** @jsxImportSource preact */
import { cleanLine } from '../../../platform/text.ts'
import { disagreementWords } from '../../records/paid-check.ts'
import type { PaidEndpoint, X402 } from '../../records/x402.ts'
import { dayWords, networkName, usdPrice } from '../words.ts'

/** A paid address and what a call of it costs. */
export function CallPrice({ endpoint }: { endpoint: PaidEndpoint }) {
  const { url, priceUsd, network } = endpoint
  return (
    <>
      <code>{cleanLine(url)}</code>
      <span>
        {priceUsd === null ? (
          'price not stated'
        ) : (
          <>
            <b class="number">{usdPrice(priceUsd)}</b> a call
          </>
        )}
        {network && <small> on {networkName(cleanLine(network))}</small>}
      </span>
    </>
  )
}

/** Shows both prices with their days if an address answers differently than the record says. */
export function PriceMismatch({ x402, url }: { x402: X402; url?: string }) {
  const disagreements = (x402.disagreements ?? []).filter((differs) => differs.url === url)
  return disagreements.map((differs) => (
    <small class="differs">{cleanLine(disagreementWords(differs, dayWords))}</small>
  ))
}
