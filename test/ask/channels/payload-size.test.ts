import { expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  PUBLICATION_MAX,
  PUBLICATION_SMALL,
  publicationFor,
} from '../../../src/ask/channels/ntfy/channel.ts'
import { topicOf } from '../../../src/ask/channels/ntfy/topic.ts'
import {
  PAYLOAD_MAX,
  PAYLOAD_SMALL,
  payloadFor,
} from '../../../src/ask/channels/web-push/payload.ts'
import type { Delivery, Message } from '../../../src/ask/delivery/model/channel.ts'
import { aDevice } from '../../support/devices.ts'
import { aMessage, baseUrl, quickAnswerSecret } from '../../support/post-office.ts'
import { howOften } from '../../support/share.ts'

const subjectId = `n_${'0'.repeat(25)}` as const
const page = `/n/${subjectId}`
const endpoint = `https://ntfy.example/${'t'.repeat(64)}`
const topic = topicOf(endpoint)

const anyText = (max: number) =>
  fc.oneof(
    fc.string({ maxLength: max, unit: 'binary' }),
    fc.string({
      maxLength: max,
      unit: fc.constantFrom('長', '😀', '👩‍👩‍👧', '"', '\\', '\n', 'é', 'x'),
    }),
    fc.constantFrom('長', '😀', '"', '\\').map((one) => one.repeat(max)),
  )
const anyUrl = fc.oneof(
  fc.constant(page),
  fc.integer({ min: 0, max: 2_000 }).map((n) => `https://ci.example/${'a'.repeat(n)}`),
  fc.integer({ min: 0, max: 500 }).map((n) => `https://ci.example/?q=${'長'.repeat(n)}`),
)
const anyMessage = fc.record({
  kind: fc.constantFrom('question', 'notification', 'outcome', 'test'),
  title: anyText(500),
  body: anyText(2_000),
  url: anyUrl,
  iconUrl: anyUrl,
  imageUrl: anyUrl,
  quick: fc.boolean(),
  asks: fc.boolean(),
})

function deliveryOf({ quick, asks, ...more }: Record<string, unknown>): Delivery {
  const { question: full, ...plain } = aMessage({
    tag: subjectId,
    page,
    ...more,
  } as Partial<Message>)
  const question = full && { ...full, quick: quick === true }
  const message = asks ? { ...plain, ...(question && { question }) } : plain
  return { message, subjectId, expiresAt: 1_800_000_000_000 }
}

/** Whether it is a beginning of the other, whole characters only. */
function begins(part: string, whole: string) {
  const plain = part.endsWith('…') && !whole.startsWith(part) ? part.slice(0, -1) : part
  return whole.startsWith(plain) && (plain.isWellFormed() || !whole.isWellFormed())
}

test('whatever the fields hold, no push is larger than its bound, and a tap leads somewhere', () => {
  const device = aDevice()
  const check = (input: Parameters<typeof deliveryOf>[0], most: number) => {
    const delivery = deliveryOf(input)
    const text = payloadFor(delivery, device, { baseUrl, quickAnswerSecret, most })
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(most)
    const { title, body, navigate, data } = JSON.parse(text).notification
    expect([
      delivery.message.url,
      baseUrl + page,
      new URL(delivery.message.url, baseUrl).href,
    ]).toContain(data.url)
    expect(navigate).toStartWith(data.url)
    expect(begins(title, delivery.message.title)).toBe(true)
    expect(begins(body, delivery.message.body)).toBe(true)
  }
  fc.assert(fc.property(anyMessage, fc.constantFrom(PAYLOAD_MAX, PAYLOAD_SMALL), check), {
    numRuns: howOften(40, 400),
  })
})

test('whatever the fields hold, nothing published on ntfy is larger than its bound', () => {
  if (!topic) throw new Error('no topic')
  const device = aDevice({ transport: 'ntfy', endpoint })
  const check = (input: Parameters<typeof deliveryOf>[0], most: number) => {
    const delivery = deliveryOf(input)
    const text = publicationFor(delivery, device, topic, { baseUrl, quickAnswerSecret, most })
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(most)
    const { click, actions } = JSON.parse(text)
    expect(URL.canParse(click)).toBe(true)
    if (delivery.message.question) expect(actions.at(-1).url).toBe(click)
  }
  fc.assert(fc.property(anyMessage, fc.constantFrom(PUBLICATION_MAX, PUBLICATION_SMALL), check), {
    numRuns: howOften(40, 400),
  })
})
