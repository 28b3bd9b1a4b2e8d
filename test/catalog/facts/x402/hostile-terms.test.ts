import { expect, test } from 'bun:test'
import type { PaidFact } from '../../../../src/catalog/facts/x402/check-endpoint.ts'
import { answering } from './asking.ts'
import { BASE_USDC, demandV1, demandV2, offerV1, offerV2 } from './paid-vendor.ts'

test.each<[string, unknown, string]>([
  ['a negative amount', offerV2({ amount: '-5' }), 'amount'],
  ['no number', offerV2({ amount: 'NaN' }), 'amount'],
  ['a fraction', offerV2({ amount: '1.5' }), 'amount'],
  ['an exponent', offerV2({ amount: '1e3' }), 'amount'],
  ['hex', offerV2({ amount: '0x10' }), 'amount'],
  ['more digits than a chain has', offerV2({ amount: '9'.repeat(79) }), 'amount'],
  ['a number that was rounded', offerV2({ amount: 1e21 }), 'amount'],
  ['no amount', offerV2({ amount: undefined }), 'amount'],
  ['a list as an amount', offerV2({ amount: ['1'] }), 'amount'],
  ['a page as a payee', offerV2({ payTo: '<script>alert(1)</script>' }), 'who is paid'],
  ['a page as a network', offerV2({ network: 'eip155:1<b>' }), 'network'],
  ['a name as a network', offerV2({ network: 'base' }), 'chain id'],
  ['no scheme', offerV2({ scheme: '' }), 'scheme'],
  ['no coin', offerV2({ asset: null }), 'coin'],
  ['no time', offerV2({ maxTimeoutSeconds: 0 }), 'how long'],
  ['a list as an offer', [offerV2()], 'none'],
  ['nothing', null, 'none'],
])('an offer with %s is not readable', async (_, offer, why) => {
  const { fact } = await answering(() => demandV2([offer]))
  expect(fact).toMatchObject({ answer: 'unreadable', status: 402, offers: [] })
  expect(fact.note).toContain(why)
})

test.each<[string, unknown, Partial<PaidFact['offers'][number]>]>([
  ['a coin nobody knows', { asset: '0x1' }, { priceUsd: null, amount: '10000' }],
  ['the coin of another chain', { network: 'eip155:1' }, { priceUsd: null }],
  ['currency of a state', { asset: 'USD' }, { priceUsd: null }],
  ['10^40', { amount: `1${'0'.repeat(40)}` }, { priceUsd: null, symbol: 'USDC' }],
  ['the smallest unit', { amount: '1' }, { priceUsd: '0.000001' }],
  ['nothing at all', { amount: '0' }, { priceUsd: '0' }],
  ['many digits', { amount: '123456789012' }, { priceUsd: '123456.789012' }],
  ['zeros before it', { amount: '0010000' }, { priceUsd: '0.01', amount: '10000' }],
  ['another case', { asset: BASE_USDC.toUpperCase().replace('X', 'x') }, { priceUsd: '0.01' }],
  [
    'eighteen decimals',
    {
      network: 'eip155:4326',
      asset: '0xFAfDdbb3FC7688494971a79cc65DCa3EF82079E7',
      amount: '1000000000000000001',
    },
    { priceUsd: '1.000000000000000001' },
  ],
])('the price of %s is exact or not there', async (_, own, expected) => {
  const { fact } = await answering(() => demandV2([offerV2(own as Record<string, unknown>)]))
  expect(fact.answer).toBe('terms')
  expect(fact.offers).toMatchObject([expected])
  if (expected.priceUsd === null) expect(fact.offers[0]?.note).toBeString()
})

test('of many offers those that can be read count, and it says that others cannot', async () => {
  const offers = [
    offerV2({ amount: '-1' }),
    offerV2({ network: 'solana:x', asset: 'y' }),
    offerV2(),
  ]
  const { fact } = await answering(() => demandV2(offers))
  expect(fact.offers.map(({ priceUsd }) => priceUsd)).toEqual([null, '0.01'])
  expect(fact.note).toContain('1 of 3 offers')
  const many = await answering(() =>
    demandV2(Array.from({ length: 60 }, () => offerV2({ extra: 1 }))),
  )
  expect(many.fact.offers).toHaveLength(20)
})

test.each<[string, () => Response | Promise<Response>]>([
  ['no terms', () => new Response('pay', { status: 402 })],
  ['a page', () => new Response('<html><b>Pay</b></html>', { status: 402 })],
  [
    'terms of version 2 in the body',
    () => Response.json({ x402Version: 2, accepts: [offerV2()] }, { status: 402 }),
  ],
  ['an empty list', () => demandV2([])],
  ['no list', () => demandV1({ length: 1 } as unknown as unknown[])],
  ['another version', () => demandV1([offerV1()], { x402Version: 3 })],
  [
    'letters that are none',
    () => new Response(new Uint8Array([0xff, 0xfe, 0x7b]), { status: 402 }),
  ],
  ['deep nesting', () => new Response('['.repeat(200_000), { status: 402 })],
  [
    'a body that is too long',
    () => new Response(`{"x402Version":1,"a":"${'x'.repeat(400_000)}"}`, { status: 402 }),
  ],
])('a demand with %s is told as unreadable', async (_, answer) => {
  const { fact } = await answering(answer)
  expect(fact).toMatchObject({ answer: 'unreadable', status: 402, offers: [] })
  expect(fact.note).toStartWith('It asks for a payment, but ')
})

test('an endless body ends', async () => {
  const { fact } = await answering(
    () =>
      new Response(
        new ReadableStream({
          pull: (controller) => controller.enqueue(new Uint8Array(64 * 1024).fill(32)),
        }),
        { status: 402 },
      ),
  )
  expect(fact).toMatchObject({ answer: 'unreadable' })
})

test('what stands beside the terms is cleaned and bounded', async () => {
  const { fact } = await answering(() =>
    demandV2(
      [offerV2({ extra: { name: 'x'.repeat(900), deep: { a: 1 }, ok: true, __proto__: 1 } })],
      {
        resource: { url: 'x', description: `a\u202e\n${'b'.repeat(900)}`, mimeType: 7 },
      },
    ),
  )
  expect(fact.description).toHaveLength(500)
  expect(fact.description).toStartWith('a bbb')
  expect(fact.mimeType).toBeUndefined()
  expect(fact.offers[0]?.extra).toEqual({ ok: true })
})
