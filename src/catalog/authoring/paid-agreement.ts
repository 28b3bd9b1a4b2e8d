import type { AuthoredTool } from '../records/authored.ts'
import type { Live } from '../records/live.ts'
import type { Disagreement, PaidCheck } from '../records/paid-check.ts'
import type { PaidEndpoint, X402 } from '../records/x402.ts'

type Level = 'yes' | 'partial' | 'no'
type Listed = { field: Disagreement['field']; listed: string; listedOn: string }
type Endpoint = NonNullable<NonNullable<AuthoredTool['x402']>['endpoints']>[number]

/**
 * Returns the payments per call of a record. Written values stay; if an address answered
 * differently, both are given. `runDate` stands in for missing days. Undefined if the record does
 * not say: unknown is never served as "no".
 */
export function x402Of(tool: AuthoredTool, live: Live, runDate: string): X402 | undefined {
  if (!tool.x402) return undefined
  const { level, endpoints = [] } = tool.x402
  const checks = checksOf(tool, live)
  const evidence = tool.x402.evidence || evidenceOf(checks)
  const disagreements = disagreementsOf(tool, checks, runDate)
  return {
    level,
    ...(evidence === undefined ? {} : { evidence }),
    endpoints: endpoints.map(({ url, priceUsd, network }) => ({ url, priceUsd, network })),
    ...(disagreements.length === 0 ? {} : { disagreements }),
  }
}

/** Only of addresses that the record still lists. */
export function checksOf({ x402 }: AuthoredTool, live: Live): PaidCheck[] {
  const listed = new Set(x402?.endpoints?.map(({ url }) => url))
  return (live.x402 ?? []).filter(({ url }) => listed.has(url))
}

/**
 * The level that the checks show: yes if every address asked for a payment of known price, partial if
 * some did and others take none, no if none takes one. Undefined while that is not known: an address
 * was silent or not asked, asks in a coin without a known price, or could not be read.
 */
export function checkedLevel(checks: readonly PaidCheck[]): Level | undefined {
  const answered = checks.filter(isAnswered)
  const paid = answered.filter(isPaid).length
  const unpaid = answered.filter(({ answer }) => WITHOUT_PAYMENT.has(answer)).length
  if (paid > 0 && unpaid > 0) return 'partial'
  if (answered.length === 0 || paid + unpaid < answered.length) return undefined
  return paid > 0 ? 'yes' : 'no'
}

// The answers that say that an address takes no payment per call.
const WITHOUT_PAYMENT = new Set(['free', 'locked', 'missing'])

/** True if the address was asked and answered. */
function isAnswered({ answer }: PaidCheck): boolean {
  return answer !== 'silent' && answer !== 'not-asked'
}

function isPaid({ answer, offers }: PaidCheck): boolean {
  return answer === 'terms' && offers.some(({ priceUsd }) => priceUsd !== null)
}

function evidenceOf(checks: readonly PaidCheck[]): string | undefined {
  const answered = checks.filter(isAnswered)
  const last = lastDay(answered)
  if (last === undefined) return undefined
  const paid = answered.filter(isPaid).length
  const many = answered.length === 1 ? 'paid address' : 'paid addresses'
  return `${paid} of ${answered.length} ${many} asked for a payment with a known price on ${last}.`
}

function disagreementsOf(tool: AuthoredTool, checks: readonly PaidCheck[], runDate: string) {
  const { level = 'no', endpoints = [] } = tool.x402 ?? {}
  const disagreements: Disagreement[] = []
  for (const endpoint of endpoints) {
    const check = checks.find(({ url }) => url === endpoint.url)
    if (check)
      disagreements.push(...endpointDiffers(endpoint, check, listedOn(tool, endpoint, runDate)))
  }
  const measured = checkedLevel(checks)
  const last = lastDay(checks)
  if (measured !== undefined && measured !== level && last !== undefined) {
    const day = listedOn(tool, undefined, runDate)
    disagreements.push({
      field: 'level',
      listed: level,
      listedOn: day,
      live: measured,
      liveOn: last,
    })
  }
  return disagreements
}

function endpointDiffers(endpoint: PaidEndpoint, check: PaidCheck, day: string): Disagreement[] {
  const { url, network, priceUsd } = endpoint
  const { answer, offers } = check
  const differs = (field: Listed['field'], listed: string, live: string): Disagreement[] => [
    { field, url, listed, listedOn: day, live, liveOn: check.checkedAt.slice(0, 10) },
  ]
  if (!isAnswered(check)) return []
  if (answer !== 'terms') return differs('payment', 'payment', answer)
  const there = network === '' ? offers : offers.filter((offer) => offer.network === network)
  if (there.length === 0) {
    const others = [...new Set(offers.map((offer) => offer.network))].join(', ')
    return differs('network', network, others.slice(0, 200))
  }
  const prices = there.flatMap((offer) => offer.priceUsd ?? [])
  const [first] = prices
  if (priceUsd === null || first === undefined) return []
  const listed = decimalOf(priceUsd)
  return prices.includes(listed) ? [] : differs('price', listed, first)
}

/** A price without an exponent: `1e-7` as `0.0000001`. */
export function decimalOf(price: number): string {
  const text = String(price)
  const [digits = '', exponent] = text.split('e')
  if (exponent === undefined) return text
  const [whole = '', rest = ''] = digits.split('.')
  const shift = Number(exponent)
  if (shift < 0) return `0.${'0'.repeat(-shift - 1)}${whole}${rest}`
  return `${whole}${rest.padEnd(shift, '0')}`
}

/** The day on which the price's source, or the source of the whole block, was read. */
function listedOn(tool: AuthoredTool, endpoint: Endpoint | undefined, runDate: string): string {
  const sources = tool.sources ?? []
  const sourceUrl = endpoint?.source ?? tool.x402?.source
  const read =
    sources.find(({ url }) => url === sourceUrl) ??
    sources.find(({ facts }) => facts.some((fact) => /^x402\b/.test(fact)))
  return read?.read ?? tool.assessment?.date ?? runDate
}

function lastDay(checks: readonly PaidCheck[]): string | undefined {
  return checks
    .map(({ checkedAt }) => checkedAt.slice(0, 10))
    .sort()
    .at(-1)
}
