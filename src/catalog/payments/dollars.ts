import { dollarCoin } from './dollar-coins.ts'
import { isTestChain } from './networks.ts'

export type DollarPrice = { priceUsd: string | null; symbol?: string; note?: string }

// No call costs this much: whoever asks for more means something else, or nothing.
const MOST_DOLLARS = 1_000_000n

/**
 * What an amount in the smallest unit of a coin is in dollars, exactly; null with the reason where
 * the coin is no known dollar, or the amount cannot be meant. `amount` has digits alone.
 */
export function dollarPrice(chain: string, asset: string, amount: string): DollarPrice {
  const coin = dollarCoin(chain, asset)
  if (!coin) return { priceUsd: null, note: 'The coin is not one that is known to be a dollar.' }
  const { symbol, decimals } = coin
  if (BigInt(amount) > MOST_DOLLARS * 10n ** BigInt(decimals)) {
    return { priceUsd: null, symbol, note: 'It asks for more than a million dollars a call.' }
  }
  const test = isTestChain(chain) ? { note: 'Coins of a test network are worth nothing.' } : {}
  return { priceUsd: shifted(amount, decimals), symbol, ...test }
}

/** `10000` with six decimals as `0.01`. */
function shifted(amount: string, decimals: number): string {
  const digits = amount.replace(/^0+/, '').padStart(decimals + 1, '0')
  const whole = digits.slice(0, -decimals)
  const rest = digits.slice(-decimals).replace(/0+$/, '')
  return rest === '' ? whole : `${whole}.${rest}`
}
