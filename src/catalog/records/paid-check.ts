import { type Static, Type } from '@sinclair/typebox'
import { closed, day, instantField, link, openWord, orNull, textField } from './words.ts'

const usd = (description: string) => orNull(textField(`${description} A decimal, exact.`, 100))

/** One way to pay, in the terms of protocol version 2. */
export const PaidOffer = closed({
  scheme: textField('How it is paid, such as exact.', 64),
  network: textField('Chain id (CAIP-2); the word of the address if it has no known name.', 100),
  networkName: Type.Optional(textField('The name that version 1 has for it.', 100)),
  amount: textField('What is asked for, in the smallest unit of the asset.', 80),
  asset: textField('Address of the coin.', 200),
  symbol: Type.Optional(textField('Its name, where it is a known dollar coin.', 32)),
  payTo: textField('Who is paid.', 200),
  maxTimeoutSeconds: Type.Number({ minimum: 0, description: 'How long a payment may take.' }),
  priceUsd: usd('US dollars a call; null: not known.'),
  note: Type.Optional(textField('Why there is no price in dollars, or a note about it.', 300)),
  extra: Type.Optional(
    Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()]), {
      description: 'Further fields of the scheme.',
    }),
  ),
})
export type PaidOffer = Static<typeof PaidOffer>

/** The kinds of answers to a request without payment. */
export const PAID_ANSWERS = [
  'terms',
  'free',
  'unreadable',
  'locked',
  'missing',
  'silent',
  'not-asked',
] as const

/** A price that was seen, from a day on. */
const SeenPrice = closed({
  network: textField('Chain id.', 100),
  asset: textField('Address of the coin.', 200),
  priceUsd: usd('US dollars a call; null: not known.'),
  since: instantField('When it was first seen.'),
})

/** The last answer of a paid address to a request without payment. */
export const PaidCheck = closed({
  url: link('The paid address.'),
  checkedAt: instantField('When this was last read; with `not-asked`, when it was not asked.'),
  changedAt: instantField('Since when it answers as it does.'),
  answer: openWord('What it answered.', PAID_ANSWERS),
  status: orNull(Type.Integer({ minimum: 0, description: 'HTTP status.' })),
  method: openWord('How it was asked.', ['GET', 'POST']),
  version: orNull(Type.Integer({ minimum: 0, description: 'Version of the protocol it speaks.' })),
  note: Type.Optional(textField('What there is to know.', 500)),
  description: Type.Optional(textField('What it says that it sells.', 500)),
  mimeType: Type.Optional(textField('What it answers with.', 100)),
  offers: Type.Array(PaidOffer, {
    description: 'What it asks for; what it last asked for, where it is silent or not asked now.',
  }),
  prices: Type.Array(SeenPrice, { description: 'Every price that was seen, oldest first.' }),
})
export type PaidCheck = Static<typeof PaidCheck>

/** A difference between the record and the address; the record keeps the written value. */
export const Disagreement = closed({
  field: openWord('What differs.', ['price', 'network', 'payment', 'level']),
  url: Type.Optional(link('The paid address.')),
  listed: textField('What is written: a price in dollars, a chain id, or a word.', 200),
  listedOn: day('Day on which that was read.'),
  live: textField('What was found.', 200),
  liveOn: day('Day on which that was found.'),
})
export type Disagreement = Static<typeof Disagreement>

const ANSWERS: Readonly<Record<string, string>> = {
  free: 'it answered without a payment',
  locked: 'it asked for credentials instead of a payment',
  missing: 'there was nothing at the address',
  unreadable: 'it named no payment that a client can make',
}

type Day = (day: string) => string

/** Both sides of a difference in a sentence; `day` formats a day. */
export function disagreementWords(differs: Disagreement, day: Day = (it) => it): string {
  const { field, listed, live } = differs
  const [then, now] = [day(differs.listedOn), day(differs.liveOn)]
  if (field === 'price') return `Listed at $${listed} (${then}); it asked for $${live} on ${now}.`
  if (field === 'network') return `Listed on ${listed} (${then}); it asked for ${live} on ${now}.`
  if (field === 'level') {
    return `The record says ${listed} (${then}); what the addresses answered comes to ${live} (${now}).`
  }
  const answer = Object.hasOwn(ANSWERS, live) ? ANSWERS[live] : `it answered as ${live}`
  return `Listed as paid (${then}); on ${now} ${answer}.`
}
