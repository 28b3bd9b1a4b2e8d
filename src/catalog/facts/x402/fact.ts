import { factValue } from '../../measured/fact-words.ts'
import type { Price } from '../../measured/price-store.ts'
import type { AuthoredTool } from '../../records/authored.ts'
import type { Findings, Outside, Probe, Subject } from '../fact.ts'
import { checkEndpoint, type PaidAddress, type PaidFact } from './check-endpoint.ts'

const DAY_MS = 86_400_000
// A tool with more is looked at in turns.
const ADDRESSES_A_DAY = 100

/** An unpaid request a day to each paid address. */
const X402_PROBE: Probe = {
  name: 'x402',
  everyMs: DAY_MS,
  appliesTo: ({ tool }) => !tool.probe?.off && addressesOf(tool).length > 0,
  run: runX402,
}

export const X402_PROBES: readonly Probe[] = [X402_PROBE]

async function runX402(outside: Outside, subject: Subject, now: number): Promise<Findings> {
  const { tool, known } = subject
  const found = await Promise.all(
    turnOf(addressesOf(tool), now).map(async (address) => {
      const before = factValue('x402', known.get(factName(address.url)))
      const fact = await checkEndpoint(outside, address, before)
      return { url: address.url, before, fact }
    }),
  )
  const drafts = found.flatMap(({ url, before, fact }, n) =>
    draftOf({ slug: tool.slug, url, n, before, fact, now }),
  )
  return {
    facts: found.map(({ url, fact }) => ({ subject: factName(url), value: fact })),
    prices: found.flatMap(({ url, before, fact }) => pricesOf(url, before, fact)),
    ...(drafts.length === 0 ? {} : { drafts }),
  }
}

function factName(url: string): string {
  return `x402 ${url}`
}

/** Each address once, whatever stands of it. */
function addressesOf({ x402 }: AuthoredTool): PaidAddress[] {
  const byUrl = new Map<string, PaidAddress>()
  for (const { url, method } of x402?.endpoints ?? []) {
    const known = byUrl.get(url)
    if (known) continue
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

/** A price for each chain and coin; nothing, where the address is silent or cannot be read. */
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
  /** Which of the addresses of the tool. */
  n: number
  before: PaidFact | undefined
  fact: PaidFact
  now: number
}

// The id of a change has at most 64 characters.
const SLUG_MOST = 36

/** A change for the curator to look at, where an address asks for another price than yesterday. */
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
