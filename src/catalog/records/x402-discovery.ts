import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { GRADES } from './grading.ts'
import { PAID_ANSWERS } from './paid-check.ts'
import {
  closed,
  countField,
  instantField,
  link,
  openWord,
  orNull,
  slug,
  textField,
  texts,
} from './words.ts'
import { X402_LEVELS } from './x402.ts'

const EVERY = {
  scheme: textField('How it is paid, such as exact.', 64),
  asset: textField('Address of the coin.', 200),
  payTo: textField('Who is paid.', 200),
  maxTimeoutSeconds: Type.Number({ minimum: 0, description: 'How long a payment may take.' }),
  extra: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()]), {
    description: 'Further fields of the scheme.',
  }),
}

/** `PaymentRequirements` of version 2 (x402 specification 2, 5.1.2). */
const OfferV2 = closed({
  ...EVERY,
  network: textField('Chain id (CAIP-2).', 100),
  amount: textField('In the smallest unit of the coin.', 80),
})

/** `PaymentRequirements` of version 1 (x402 specification 1, 5.1.2). */
const OfferV1 = closed({
  ...EVERY,
  network: textField('Name of the network.', 100),
  maxAmountRequired: textField('In the smallest unit of the coin.', 80),
  resource: link('The paid address.'),
  description: textField('What is sold.', 500),
  mimeType: textField('What it answers with; may be empty.', 100),
})

/** A paid address (x402 specification, 8.2, and `DiscoveryResource` of its client libraries). */
export const DiscoveryResource = closed({
  resource: link('The paid address.'),
  type: Type.Literal('http'),
  x402Version: Type.Integer({ minimum: 1, description: 'Version that the address speaks.' }),
  accepts: Type.Array(Type.Union([OfferV2, OfferV1]), {
    description: 'What it asks for, as of that version; empty until it was asked.',
  }),
  lastUpdated: instantField('Since when that is so.'),
  description: textField('What is sold.', 500),
  mimeType: Type.Optional(textField('What it answers with.', 100)),
  serviceName: Type.Optional(textField('Name of the tool, where it fits the form.', 32)),
  tags: Type.Optional(texts('At most five.', 32)),
  metadata: closed({
    name: textField('Name of the tool.', 200),
    slug: slug('The tool.'),
    provider: textField('The vendor.', 200),
    category: slug('Category of the tool.'),
    url: link('Page of the record.'),
    jsonUrl: link('The record as JSON.'),
    level: openWord('Whether calls can be paid one by one.', X402_LEVELS),
    grade: orNull(openWord('Grade of the tool.', GRADES)),
    score: orNull(Type.Number({ minimum: 0, maximum: 100 })),
    listedPriceUsd: orNull(
      Type.Number({ minimum: 0, description: 'US dollars a call, as the catalog lists it.' }),
    ),
    priceUsd: orNull(textField('US dollars a call, as it last asked for: an exact decimal.', 100)),
    network: textField('Chain id that the catalog lists; may be empty.', 100),
    method: Type.Optional(openWord('How it was asked.', ['GET', 'POST'])),
    answer: Type.Optional(openWord('What it answered without payment.', PAID_ANSWERS)),
    checkedAt: Type.Optional(instantField('When it was last asked.')),
  }),
})
export type DiscoveryResource = Static<typeof DiscoveryResource>

/** The list for clients of x402 (x402 specification, 8.1). */
export const DiscoveryResources = closed(
  {
    x402Version: Type.Integer({ minimum: 1, description: 'Version of this answer.' }),
    items: Type.Array(DiscoveryResource),
    pagination: closed({
      limit: countField('Most items in this answer.'),
      offset: countField('Items that were skipped.'),
      total: countField('Items that fit.'),
    }),
  },
  'Paid addresses, in the shape of the x402 discovery API.',
)
export type DiscoveryResources = Static<typeof DiscoveryResources>

/** The search results for clients of x402. */
export const DiscoverySearch = closed(
  {
    x402Version: Type.Integer({ minimum: 1, description: 'Version of this answer.' }),
    resources: Type.Array(DiscoveryResource),
    partialResults: Type.Boolean({ description: 'Whether more than these fit.' }),
    pagination: Type.Null({ description: 'There are no further pages.' }),
  },
  'Paid addresses that fit some words.',
)
export type DiscoverySearch = Static<typeof DiscoverySearch>

/** The limits of the specification. */
export const DISCOVERY_LIMIT = { default: 20, most: 100 }

const FILTERS = {
  type: textField('Kind of resource; all here are http.', 64),
  network: textField(
    'Chain id or name: one that is asked for, or listed where nothing was asked.',
    100,
  ),
  scheme: textField('Scheme that is asked for, such as exact.', 64),
  payTo: textField('Who is paid; capitals do not matter.', 200),
  extensions: textField('Key of an extension; the catalog keeps none, so nothing matches.', 100),
  x402Version: textField('Version that the address speaks: 1 or 2.', 1),
  'metadata[provider]': textField('Vendor; capitals do not matter.', 200),
  'metadata[category]': textField('Category.', 64),
}

const LIMIT = Type.Integer({
  minimum: 1,
  default: DISCOVERY_LIMIT.default,
  description: `Items in the answer; more than ${DISCOVERY_LIMIT.most} are ${DISCOVERY_LIMIT.most}.`,
})

/** Every parameter of the list. */
export const DISCOVERY_PARAMETERS = {
  ...FILTERS,
  limit: LIMIT,
  offset: Type.Integer({ minimum: 0, default: 0, description: 'Items to skip.' }),
} satisfies Record<string, TSchema>

/** Every parameter of the search. */
export const DISCOVERY_SEARCH_PARAMETERS = {
  query: textField('Words that must all occur.', 200),
  ...FILTERS,
  limit: LIMIT,
} satisfies Record<string, TSchema>
