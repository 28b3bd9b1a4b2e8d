import { isoTime } from '../../platform/clock.ts'
import type { PaidCheck } from '../records/paid-check.ts'
import type { StoredFact } from './fact-store.ts'
import type { FactValue } from './fact-words.ts'
import type { StoredPrice } from './price-store.ts'

// What is older stays in the database.
const PRICES_SHOWN = 50

/** What a paid address answers, with the prices that were seen there: those of one tool. */
export function paidCheck(
  {
    subject,
    value,
    checkedAt,
    changedAt,
  }: Omit<StoredFact, 'value'> & {
    value: FactValue<'x402'>
  },
  prices: readonly StoredPrice[],
): PaidCheck {
  const url = subject.slice('x402 '.length)
  const seen = prices.filter((price) => price.url === url).sort((a, b) => a.seenAt - b.seenAt)
  return {
    url,
    checkedAt: isoTime(checkedAt),
    changedAt: isoTime(changedAt),
    ...value,
    prices: seen.slice(-PRICES_SHOWN).map(({ network, asset, priceUsd, seenAt }) => {
      return { network, asset, priceUsd, since: isoTime(seenAt) }
    }),
  }
}
