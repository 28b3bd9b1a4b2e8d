/** @jsxImportSource preact */
import type { PaidCheck } from '../../records/paid-check.ts'
import { dayWords, networkName, usdPrice } from '../words.ts'
import { StepChart } from './charts.tsx'

type SeenPrice = PaidCheck['prices'][number]

/**
 * The prices of one address over time, as steps from the first to `until` (an instant), with a list
 * of the same. Nothing before a price has changed. While a price is not known there is a gap.
 */
export function PriceSteps({ prices, until }: { prices: readonly SeenPrice[]; until: string }) {
  const byCoin = Map.groupBy(prices, ({ network, asset }) => `${network} ${asset}`)
  const changing = [...byCoin.values()].filter((steps) => steps.length > 1)
  return changing.map((steps) => (
    <figure class="price-steps">
      <StepChart points={steps.map(pointOf)} until={until} most={mostOf(steps)} />
      <figcaption>
        <details>
          <summary>
            {steps.length} prices since {dayWords(steps[0]?.since ?? '')}
            {changing.length > 1 && ` on ${networkName(steps[0]?.network ?? '')}`}
          </summary>
          <ol>
            {steps.map(({ since, priceUsd }) => (
              <li>
                from {dayWords(since)}:{' '}
                {priceUsd === null ? 'not known in dollars' : <b>{usdPrice(Number(priceUsd))}</b>}
              </li>
            ))}
          </ol>
        </details>
      </figcaption>
    </figure>
  ))
}

function pointOf({ since, priceUsd }: SeenPrice) {
  const value = priceUsd === null ? null : Number(priceUsd)
  const price = value === null ? 'not known in dollars' : usdPrice(value)
  return { at: since, value, words: `from ${dayWords(since)}: ${price}` }
}

function mostOf(steps: readonly SeenPrice[]): number {
  return Math.max(...steps.map(({ priceUsd }) => Number(priceUsd ?? 0))) || 1
}
