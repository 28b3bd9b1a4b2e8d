import type { Findings } from '../../probing/probe.ts'
import type { PaidFact } from './check-endpoint.ts'

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
export function draftOf({ slug, url, n, before, fact, now }: Seen): Draft[] {
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
