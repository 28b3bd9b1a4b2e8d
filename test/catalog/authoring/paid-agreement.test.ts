import { expect, test } from 'bun:test'
import { checkedLevel, decimalOf, x402Of } from '../../../src/catalog/authoring/paid-agreement.ts'
import { notMeasured } from '../../../src/catalog/records/live.ts'
import type { PaidCheck, PaidOffer } from '../../../src/catalog/records/paid-check.ts'
import { BASE_USDC, PAYEE, paidTool } from '../facts/x402/paid-vendor.ts'

const URL = 'https://api.acme.example/weather'
const RUN = '2026-11-01'

const offer = (own: Partial<PaidOffer> = {}): PaidOffer => ({
  ...{ scheme: 'exact', network: 'eip155:8453', amount: '10000', asset: BASE_USDC },
  ...{ payTo: PAYEE, maxTimeoutSeconds: 60, priceUsd: '0.01' },
  ...own,
})

const check = (own: Partial<PaidCheck> = {}): PaidCheck => ({
  ...{ url: URL, checkedAt: '2026-11-20T08:00:00Z', changedAt: '2026-11-10T08:00:00Z' },
  ...{ answer: 'terms', status: 402, method: 'GET', version: 2, prices: [] },
  offers: [offer()],
  ...own,
})

const listed = (own = {}) => ({ url: URL, priceUsd: 0.01, network: 'eip155:8453', ...own })

function recordOf(endpoint = {}, checks: PaidCheck[] = [], tool = {}) {
  const live = { ...notMeasured('acme-weather'), x402: checks }
  const x402 = x402Of(paidTool([listed(endpoint)], tool), live, RUN)
  if (!x402) throw new Error('the record says nothing of payments')
  return x402
}

test('the check says nothing where the address asks for the written price', () => {
  for (const checks of [[], [check()], [check({ answer: 'silent', offers: [] })]]) {
    expect(recordOf({}, checks)).toEqual({
      level: 'yes',
      evidence: 'It answers 402.',
      endpoints: [listed()],
    })
  }
})

test('shows another price with both days, and keeps the one that is written', () => {
  const source = 'https://acme.example/pricing'
  const tool = { sources: [{ url: source, read: '2026-10-05', facts: ['x402'] }] }
  const dearer = check({ offers: [offer({ amount: '20000', priceUsd: '0.02' })] })
  const { endpoints, disagreements } = recordOf({ source }, [dearer], tool)
  expect(endpoints).toEqual([listed()])
  expect(disagreements).toEqual([
    {
      ...{ field: 'price', url: URL, listed: '0.01', listedOn: '2026-10-05' },
      ...{ live: '0.02', liveOn: '2026-11-20' },
    },
  ])
})

test('the check takes the day from the source, then the assessment, then the run', () => {
  const dearer = [check({ offers: [offer({ priceUsd: '0.02' })] })]
  const dayWith = (tool: object) => recordOf({}, dearer, tool).disagreements?.[0]?.listedOn
  expect(dayWith({})).toBe(RUN)
  expect(dayWith({ assessment: { confidence: 'high', date: '2026-10-31' } })).toBe('2026-10-31')
  const sources = [{ url: 'https://acme.example', read: '2026-10-02', facts: ['x402.endpoints'] }]
  expect(dayWith({ sources })).toBe('2026-10-02')
})

test('looks at the chain that is written, and says when it is another', () => {
  const solana = offer({ network: 'solana:x', asset: 'y', priceUsd: null })
  expect(recordOf({}, [check({ offers: [solana, offer()] })]).disagreements).toBeUndefined()
  expect(recordOf({ network: '' }, [check()]).disagreements).toBeUndefined()
  expect(recordOf({}, [check({ offers: [solana] })]).disagreements).toMatchObject([
    { field: 'network', listed: 'eip155:8453', live: 'solana:x' },
  ])
})

test('a price that is not known on one side is no disagreement', () => {
  expect(recordOf({ priceUsd: null }, [check()]).disagreements).toBeUndefined()
  const unknown = check({ offers: [offer({ priceUsd: null })] })
  expect(recordOf({}, [unknown]).disagreements).toBeUndefined()
})

test.each(['free', 'locked', 'missing'])('the check reports a demand that is %s', (answer) => {
  const { level, disagreements } = recordOf({}, [check({ answer, offers: [] })])
  expect(level).toBe('yes')
  expect(disagreements).toMatchObject([
    { field: 'payment', listed: 'payment', live: answer },
    { field: 'level', listed: 'yes', live: 'no' },
  ])
})

test('the check reports a demand for payment that cannot be read, which comes to no level', () => {
  const { disagreements } = recordOf({}, [check({ answer: 'unreadable', offers: [] })])
  expect(disagreements).toMatchObject([{ field: 'payment', live: 'unreadable' }])
  expect(disagreements).toHaveLength(1)
})

test('a payment in a coin without a known price is neither "no" nor a price', () => {
  const odd = check({ offers: [offer({ asset: '0xodd', priceUsd: null })] })
  expect(checkedLevel([odd])).toBeUndefined()
  expect(checkedLevel([odd, check()])).toBeUndefined()
  expect(checkedLevel([odd, check({ answer: 'free', offers: [] })])).toBeUndefined()
  expect(checkedLevel([check({ answer: 'not-asked', offers: [] })])).toBeUndefined()
})

test('the checks come to a level, and silence counts on neither side', () => {
  const silent = check({ answer: 'silent' })
  const free = check({ answer: 'free', offers: [] })
  expect(checkedLevel([])).toBeUndefined()
  expect(checkedLevel([silent])).toBeUndefined()
  expect(checkedLevel([check(), silent])).toBe('yes')
  expect(checkedLevel([check(), free])).toBe('partial')
  expect(checkedLevel([free])).toBe('no')
})

test('the checks are the evidence where none is written', () => {
  const without = { x402: { level: 'yes', endpoints: [listed()] } }
  expect(recordOf({}, [], without).evidence).toBeUndefined()
  expect(recordOf({}, [check()], without).evidence).toBe(
    '1 of 1 paid address asked for a payment with a known price on 2026-11-20.',
  )
  expect(recordOf({}, [check()]).evidence).toBe('It answers 402.')
})

test('checks of addresses that are no longer written count for nothing', () => {
  const other = check({ url: 'https://api.acme.example/old', answer: 'missing', offers: [] })
  expect(recordOf({}, [other]).disagreements).toBeUndefined()
})

test('prices are compared as decimals', () => {
  const written = [0.01, 0, 25, 1e-7, 1.5e-9, 1e21, 1.25e22].map(decimalOf)
  expect(written).toEqual([
    ...['0.01', '0', '25', '0.0000001', '0.0000000015', '1000000000000000000000'],
    '12500000000000000000000',
  ])
  const tiny = check({ offers: [offer({ priceUsd: '0.0000001' })] })
  expect(recordOf({ priceUsd: 1e-7 }, [tiny]).disagreements).toBeUndefined()
})
