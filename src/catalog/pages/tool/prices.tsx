/** @jsxImportSource preact */
import { cleanLine, cleanText } from '../../../platform/text.ts'
import type { ToolDetail } from '../../records/tool.ts'
import { takesX402, type X402 } from '../../records/x402.ts'
import { CallPrice, PriceMismatch } from '../parts/call-price.tsx'
import { Columns, SheetSection, SourceLink } from '../parts/section.tsx'
import { priceOf, unitName, usdPrice } from '../words.ts'

/** The prices, each with its source. */
export function Prices({ tool }: { tool: ToolDetail }) {
  const { unitPrices, x402, pricingNotes } = tool
  return (
    <SheetSection id="prices" title="Prices">
      <p dir="auto">
        <b>{priceOf(tool)}</b>
      </p>
      {pricingNotes && (
        <p class="soft" dir="auto">
          {cleanText(pricingNotes)}
        </p>
      )}
      {unitPrices.length > 0 && (
        <table class="plain">
          <Columns names={['What', 'Price', 'Read at']} />
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
      {takesX402(x402) && <PayPerCall x402={x402} />}
    </SheetSection>
  )
}

function PayPerCall({ x402 }: { x402: X402 }) {
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
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
