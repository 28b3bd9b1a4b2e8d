import { factValue } from '../../measured/fact-words.ts'
import type { Price } from '../../measured/price-store.ts'
import type { Findings, Outside, Probe, Subject } from '../../probing/probe.ts'
import type { AuthoredTool } from '../../records/authored.ts'
import { checkEndpoint, type PaidAddress, type PaidFact } from './check-endpoint.ts'
import { draftOf } from './price-draft.ts'

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
