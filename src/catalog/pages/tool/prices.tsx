/** @jsxImportSource preact */
import { cleanLine, cleanText } from '../../../platform/text.ts'
import type { CatalogSnapshot } from '../../feeds/catalog-snapshot.ts'
import type { PaidCheck } from '../../records/paid-check.ts'
import type { ToolDetail } from '../../records/tool.ts'
import { takesX402, type X402 } from '../../records/x402.ts'
import { endedWords } from '../ended.ts'
import { CallPrice, PriceMismatch } from '../parts/call-price.tsx'
import { EndedMark } from '../parts/marks.tsx'
import { PriceSteps } from '../parts/price-steps.tsx'
import { Columns, SheetSection, SourceLink } from '../parts/section.tsx'
import { priceOf, unitName, usdPrice } from '../words.ts'

/** The prices, each with its source; for a tool that ended they are its last ones. */
export function Prices({ snapshot, tool }: { snapshot: CatalogSnapshot; tool: ToolDetail }) {
  const { unitPrices, x402, pricingNotes } = tool
  const ended = endedWords(snapshot, tool)
  return (
    <SheetSection id="prices" title={ended ? 'Last prices' : 'Prices'}>
      {ended && (
        <>
          <p>
            <EndedMark words={ended} />
          </p>
          <p class="soft">These were its prices; nothing can be bought any more.</p>
        </>
      )}
      <p dir="auto">{ended ? `Before: ${priceOf(tool)}` : <b>{priceOf(tool)}</b>}</p>
      {pricingNotes && (
        <p class="soft" dir="auto">
          {cleanText(pricingNotes)}
        </p>
      )}
      {unitPrices.length > 0 && (
        <table class="plain">
          <Columns names={['What', ended ? 'Last price' : 'Price', 'Read at']} />
          <tbody>
            {unitPrices.map(({ item, unit, usd: price, note, source }) => (
              <tr>
                <th scope="row" dir="auto">
                  {cleanLine(item)}
                  {note && <small>{cleanLine(note)}</small>}
                </th>
                <td>
                  <b class="number">{usdPrice(price)}</b> <small>per {unitName(unit)}</small>
                </td>
                <td>
                  <SourceLink to={source} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {takesX402(x402) && (ended ? <PaidNoMore /> : <PayPerCall tool={tool} x402={x402} />)}
    </SheetSection>
  )
}

/** Without an address: a payment to one that nobody runs any more would be lost. */
function PaidNoMore() {
  return (
    <p class="soft">Its calls could be paid one by one with x402. Send no payments any more.</p>
  )
}

function PayPerCall({ tool, x402 }: { tool: ToolDetail; x402: X402 }) {
  const checks = new Map(tool.live.x402?.map((check) => [check.url, check]))
  return (
    <>
      <h3>Pay per call with x402{x402.level === 'partial' ? ', in part' : ''}</h3>
      {x402.evidence && (
        <p class="soft" dir="auto">
          {cleanText(x402.evidence)}
        </p>
      )}
      <PriceMismatch x402={x402} />
      {x402.endpoints.length > 0 && (
        <ul class="endpoints">
          {x402.endpoints.map((endpoint) => (
            <li>
              <CallPrice endpoint={endpoint} />
              <PriceMismatch x402={x402} url={endpoint.url} />
              <Steps check={checks.get(endpoint.url)} />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function Steps({ check }: { check: PaidCheck | undefined }) {
  return check ? <PriceSteps prices={check.prices} until={check.checkedAt} /> : null
}
