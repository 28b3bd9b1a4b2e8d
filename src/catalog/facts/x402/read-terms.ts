import { cleanLine, cutText } from '../../../platform/text.ts'
import { type ProtocolVersion, readOffer } from '../../payments/read-offer.ts'
import type { PaidOffer } from '../../records/paid-check.ts'

/** The terms of a demand for payment, or why no client could use it. */
export type PaymentTerms =
  | {
      version: ProtocolVersion
      offers: PaidOffer[]
      description?: string
      mimeType?: string
      note?: string
    }
  | { version?: ProtocolVersion; why: string }

const TERMS_HEADER = 'PAYMENT-REQUIRED'

const HEADER_MOST = 64 * 1024
const OFFERS_MOST = 20
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/

type Demand = { headers: Headers; body: Uint8Array; cut: false | 'long' | 'broken' }

/**
 * Reads an answer with status 402 as clients do: the header of version 2 first, then the body of
 * version 1 (x402 specification, transports/http). Never throws.
 */
export function readTerms({ headers, body, cut }: Demand): PaymentTerms {
  const header = headers.get(TERMS_HEADER)
  const fromHeader = header === null ? undefined : readHeader(header)
  if (fromHeader && 'offers' in fromHeader) return fromHeader
  const fromBody = readBody(body, cut)
  if ('offers' in fromBody) return fromBody
  return fromHeader ?? fromBody
}

function readHeader(header: string): PaymentTerms {
  if (header.length > HEADER_MOST) return { why: `${TERMS_HEADER} is too long` }
  if (!BASE64.test(header)) return { why: `${TERMS_HEADER} is not base64` }
  const terms = asObject(Buffer.from(header, 'base64'))
  if (!terms) return { why: `${TERMS_HEADER} has no JSON in it` }
  if (terms.x402Version !== 2) return { why: `${TERMS_HEADER} is not of version 2` }
  const about = asRecord(terms.resource)
  return withOffers(2, terms.accepts, about)
}

function readBody(body: Uint8Array, cut: Demand['cut']): PaymentTerms {
  if (cut) return { why: cut === 'long' ? 'the answer is too long' : 'the answer broke off' }
  const terms = asObject(body)
  if (!terms) return { why: 'there are no terms in the header, and no JSON in the body' }
  if (terms.x402Version === 2) {
    return { why: `terms of version 2 are in the body, not in ${TERMS_HEADER}` }
  }
  if (terms.x402Version !== 1) return { why: 'the body has no terms in it' }
  const [first] = Array.isArray(terms.accepts) ? terms.accepts : []
  return withOffers(1, terms.accepts, asRecord(first))
}

function withOffers(
  version: ProtocolVersion,
  accepts: unknown,
  { description, mimeType }: Record<string, unknown>,
): PaymentTerms {
  if (!Array.isArray(accepts) || accepts.length === 0) {
    return { version, why: 'the terms offer no way to pay' }
  }
  const read = accepts.slice(0, OFFERS_MOST).map((one) => readOffer(one, version))
  const offers = read.filter((one) => typeof one !== 'string')
  const [why] = read.filter((one) => typeof one === 'string')
  if (offers.length === 0) return { version, why: why ?? 'the terms offer no way to pay' }
  const unread = read.length - offers.length
  return {
    version,
    offers,
    ...line('description', description, 500),
    ...line('mimeType', mimeType, 100),
    ...(unread === 0 ? {} : { note: `${unread} of ${read.length} offers cannot be used: ${why}.` }),
  }
}

function line<N extends string>(name: N, value: unknown, most: number): { [K in N]?: string } {
  const clean = typeof value === 'string' ? cutText(cleanLine(value), most).trim() : ''
  return (clean === '' ? {} : { [name]: clean }) as { [K in N]?: string }
}

function asObject(bytes: Uint8Array): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    return value !== null && typeof value === 'object' && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}

function asRecord(value: unknown): Record<string, unknown> {
  return value !== null && typeof value === 'object' ? (value as Record<string, unknown>) : {}
}
