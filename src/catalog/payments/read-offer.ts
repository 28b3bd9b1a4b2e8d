import type { PaidOffer } from '../records/paid-check.ts'
import { dollarPrice } from './dollars.ts'
import { chainId } from './networks.ts'

export type ProtocolVersion = 1 | 2

// Chain ids, addresses and names of schemes: nothing that has a meaning on a page.
const PLAIN = /^[A-Za-z0-9:._/+=@-]+$/
// As large as a number of a chain can be.
const AMOUNT = /^\d{1,78}$/
const EXTRAS_MOST = 12
const EXTRA_NAME = /^[A-Za-z0-9_.-]{1,64}$/

/**
 * One of `accepts` of a demand for payment; the reason, in words, where clients could not use it.
 * Version 1 names its networks and says `maxAmountRequired`, version 2 has chain ids and `amount`.
 */
export function readOffer(value: unknown, version: ProtocolVersion): PaidOffer | string {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return 'an offer is none'
  const said = value as Record<string, unknown>
  const scheme = plain(said.scheme, 64)
  const network = plain(said.network, 100)
  const asset = plain(said.asset, 200)
  const payTo = plain(said.payTo, 200)
  if (!scheme) return 'an offer names no scheme'
  if (!network) return 'an offer names no network'
  if (!asset) return 'an offer names no coin'
  if (!payTo) return 'an offer does not say who is paid'
  if (version === 2 && !network.includes(':')) return 'a network is no chain id'
  const amount = amountOf(version === 1 ? said.maxAmountRequired : said.amount)
  if (amount === undefined) return 'an amount is no whole number'
  const timeout = said.maxTimeoutSeconds
  if (typeof timeout !== 'number' || !Number.isFinite(timeout) || timeout <= 0) {
    return 'an offer does not say how long a payment may take'
  }
  const chain = version === 1 ? chainId(network) : network
  const extra = extraOf(said.extra)
  return {
    scheme,
    network: chain,
    ...(chain === network ? {} : { networkName: network }),
    amount,
    asset,
    payTo,
    maxTimeoutSeconds: Math.min(timeout, MOST_SECONDS),
    ...dollarPrice(chain, asset, amount),
    ...(extra ? { extra } : {}),
  }
}

const MOST_SECONDS = 1_000_000_000

function plain(value: unknown, most: number): string | undefined {
  if (typeof value !== 'string' || value.length > most) return undefined
  return PLAIN.test(value) ? value : undefined
}

/** Digits without zeros before them. Some write a number where text belongs. */
function amountOf(value: unknown): string | undefined {
  const text = Number.isSafeInteger(value) ? String(value) : value
  if (typeof text !== 'string' || !AMOUNT.test(text)) return undefined
  return BigInt(text).toString()
}

/** The plain values of `extra`, such as the name and version that a signature is for. */
function extraOf(value: unknown): PaidOffer['extra'] {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return undefined
  const kept = Object.entries(value).filter(
    ([name, own]) =>
      EXTRA_NAME.test(name) &&
      name !== '__proto__' &&
      ((typeof own === 'string' && own.length <= 200) ||
        typeof own === 'boolean' ||
        (typeof own === 'number' && Number.isFinite(own))),
  )
  return kept.length === 0 ? undefined : Object.fromEntries(kept.slice(0, EXTRAS_MOST))
}
