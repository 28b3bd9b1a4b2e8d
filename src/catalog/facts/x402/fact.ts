import { Type } from '@sinclair/typebox'
import { isoTime } from '../../../platform/clock.ts'
import { shape } from '../../../platform/schema.ts'
import type { AuthoredTool } from '../../records/authored.ts'
import { PaidCheck } from '../../records/paid-check.ts'
import type { Findings, Price, Probe, ProbeNetwork, Subject } from '../fact.ts'
import { defineFact, type StoredValue } from '../fact.ts'
import { checkEndpoint, type PaidAddress, PaidFact } from './check-endpoint.ts'

const DAY_MS = 86_400_000
// A tool with more addresses is read in turns.
const ADDRESSES_A_DAY = 100

const FORM = shape(PaidFact)

/** An unpaid request a day to each paid address. */
export const X402_PROBE: Probe = {
  name: 'x402',
  everyMs: DAY_MS,
  appliesTo: ({ tool }) => !tool.probe?.off && addressesOf(tool).length > 0,
  run: runX402,
}

/** `x402 URL`: the answers of paid addresses to requests without a payment. */
export const X402_ADDRESSES = defineFact({
  name: 'x402',
  value: PaidFact,
  live: {
    x402: Type.Optional(
      Type.Array(PaidCheck, { description: 'What paid addresses answer without a payment.' }),
    ),
  },
  probes: () => [X402_PROBE],
  async read(stored, history) {
    if (stored.length === 0) return {}
    const prices = await history.prices()
    return { x402: stored.map((one) => paidCheck(one, prices)) }
  },
})

// Older prices stay in the database.
const PRICES_SHOWN = 50

/** The answer of a paid address with the prices that were seen there. */
function paidCheck(
  { subject, value, checkedAt, changedAt }: StoredValue<PaidFact>,
  prices: ReadonlyArray<Price & { seenAt: number }>,
): PaidCheck {
  const url = subject.slice('x402 '.length)
  const ownPrices = prices.filter((price) => price.url === url).sort((a, b) => a.seenAt - b.seenAt)
  return {
    url,
    checkedAt: isoTime(checkedAt),
    changedAt: isoTime(changedAt),
    ...value,
    prices: ownPrices.slice(-PRICES_SHOWN).map(({ network, asset, priceUsd, seenAt }) => {
      return { network, asset, priceUsd, since: isoTime(seenAt) }
    }),
  }
}

async function runX402(outside: ProbeNetwork, subject: Subject, now: number): Promise<Findings> {
  const { tool, memories } = subject
  const checks = await Promise.all(
    turnOf(addressesOf(tool), now).map(async (address) => {
      const before = factBefore(memories.get(factName(address.url)))
      const fact = await checkEndpoint(outside, address, before)
      return { url: address.url, before, fact }
    }),
  )
  const drafts = checks.flatMap(({ url, before, fact }, n) =>
    draftOf({ slug: tool.slug, url, n, before, fact, now }),
  )
  return {
    facts: checks.map(({ url, fact }) => ({ subject: factName(url), value: fact })),
    prices: checks.flatMap(({ url, before, fact }) => pricesOf(url, before, fact)),
    ...(drafts.length === 0 ? {} : { drafts }),
  }
}

function factBefore(value: unknown): PaidFact | undefined {
  return FORM.wrong(value).length === 0 ? (value as PaidFact) : undefined
}

function factName(url: string): string {
  return `x402 ${url}`
}

/** Each address once. */
function addressesOf({ x402 }: AuthoredTool): PaidAddress[] {
  const byUrl = new Map<string, PaidAddress>()
  for (const { url, method } of x402?.endpoints ?? []) {
    const existing = byUrl.get(url)
    if (existing) continue
    byUrl.set(url, { url, ...(method === 'GET' || method === 'POST' ? { method } : {}) })
  }
  return [...byUrl.values()]
}

function turnOf(addresses: readonly PaidAddress[], now: number): PaidAddress[] {
  if (addresses.length <= ADDRESSES_A_DAY) return [...addresses]
  const turns = Math.ceil(addresses.length / ADDRESSES_A_DAY)
  const turn = Math.floor(now / DAY_MS) % turns
  return addresses.slice(turn * ADDRESSES_A_DAY, (turn + 1) * ADDRESSES_A_DAY)
}

/** A price for each chain and coin; empty if the address does not answer or cannot be read. */
function pricesOf(url: string, before: PaidFact | undefined, fact: PaidFact): Price[] {
  const isFree = fact.answer === 'free'
  if (fact.answer !== 'terms' && !isFree) return []
  const byCoin = new Map<string, Price>()
  for (const { network, asset, priceUsd } of isFree ? (before?.offers ?? []) : fact.offers) {
    const coin = `${network} ${asset}`
    if (byCoin.has(coin)) continue
    byCoin.set(coin, { url, network, asset, priceUsd: isFree ? '0' : priceUsd })
  }
  return [...byCoin.values()]
}

type Draft = NonNullable<Findings['drafts']>[number]

type Seen = {
  slug: string
  url: string
  /** The position of the address among those of the tool. */
  n: number
  before: PaidFact | undefined
  fact: PaidFact
  now: number
}

// The id of a change has at most 64 characters.
const SLUG_MOST = 36

/** A draft for the curator if an address changed its price. */
function draftOf({ slug, url, n, before, fact, now }: Seen): Draft[] {
  if (before?.answer !== 'terms' || fact.answer !== 'terms') return []
  const moved = fact.offers.find((offer) => {
    const old = sameCoin(before, offer)
    return old?.priceUsd && offer.priceUsd && old.priceUsd !== offer.priceUsd
  })
  if (!moved) return []
  const day = new Date(now).toISOString().slice(0, 10)
  const start = slug.slice(0, SLUG_MOST).replace(/-$/, '')
  return [
    {
      id: `${start}-call-price-${day}-${n + 1}`,
      kind: 'price',
      what: `A call of ${url} costs $${moved.priceUsd}; it was $${sameCoin(before, moved)?.priceUsd}.`,
      source: url,
    },
  ]
}

function sameCoin({ offers }: PaidFact, { network, asset, scheme }: PaidFact['offers'][number]) {
  return offers.find(
    (old) => old.network === network && old.asset === asset && old.scheme === scheme,
  )
}
