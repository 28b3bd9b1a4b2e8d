/** @jsxImportSource preact */
import { cleanLine } from '../../../kernel/text.ts'
import type { PaidEndpoint } from '../../record/x402.ts'
import { networkName, usd } from '../words.ts'

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
            <b class="number">{usd(priceUsd)}</b> a call
          </>
        )}
        {network && <small> on {networkName(cleanLine(network))}</small>}
      </span>
    </>
  )
}
