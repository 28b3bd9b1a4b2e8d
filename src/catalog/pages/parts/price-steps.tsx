/** @jsxImportSource preact */
import type { PaidCheck } from '../../records/paid-check.ts'
import { dayWords, networkName, usdPrice } from '../words.ts'

type SeenPrice = PaidCheck['prices'][number]

const WIDTH = 300
const HEIGHT = 48
const EDGE = 4

/**
 * The prices of one address over time, as steps from the first to `until` (an instant), with a list
 * of the same. Nothing before a price has changed. While a price is not known there is a gap.
 */
export function PriceSteps({ prices, until }: { prices: readonly SeenPrice[]; until: string }) {
  const byCoin = Map.groupBy(prices, ({ network, asset }) => `${network} ${asset}`)
  const changing = [...byCoin.values()].filter((steps) => steps.length > 1)
  return changing.map((steps) => (
    <figure class="price-steps">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        aria-hidden="true"
        class="steps-line"
      >
        <path d={stepPath(steps, Date.parse(until))} />
      </svg>
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

/** A level line for each known price, joined where one follows another. Zero is at the bottom. */
function stepPath(steps: readonly SeenPrice[], until: number): string {
  const from = Date.parse(steps[0]?.since ?? '')
  const most = Math.max(...steps.map(({ priceUsd }) => Number(priceUsd ?? 0)))
  const x = (at: number) =>
    round(EDGE + ((WIDTH - 2 * EDGE) * (at - from)) / Math.max(1, until - from))
  const y = (price: number) => round(HEIGHT - EDGE - ((HEIGHT - 2 * EDGE) * price) / (most || 1))
  let isDrawing = false
  return steps
    .map(({ since, priceUsd }, i) => {
      const end = x(Date.parse(steps[i + 1]?.since ?? '') || until)
      if (priceUsd === null) {
        isDrawing = false
        return ''
      }
      const level = y(Number(priceUsd))
      const start = isDrawing ? `V${level}` : `M${x(Date.parse(since))} ${level}`
      isDrawing = true
      return `${start}H${end}`
    })
    .join('')
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
