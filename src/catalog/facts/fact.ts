import { createHash } from 'node:crypto'
import type { GuardedFetch } from '../../platform/outgoing/guarded-fetch.ts'
import type { Draft } from '../measured/draft-store.ts'
import type { Fact } from '../measured/fact-store.ts'
import type { Price } from '../measured/price-store.ts'
import type { AuthoredTool, AuthoredVendor } from '../records/authored.ts'

/**
 * The world as a probe sees it: the polite fetch, which says who asks, has one request in flight a
 * host, and keeps to Retry-After and robots.txt. What may not be asked is `blocked`.
 */
export type Outside = { fetch: GuardedFetch['fetch'] }

/** What is measured. */
export type Subject = {
  tool: AuthoredTool
  vendor: AuthoredVendor | undefined
  /** The newest value of each fact, by its subject. */
  known: ReadonlyMap<string, unknown>
}

/** What a probe found. A fact that is not among them stays as it was. */
export type Findings = {
  facts: Fact[]
  drafts?: Omit<Draft, 'slug'>[]
  prices?: Price[]
}

/**
 * One kind of measurement: when it is due, and what it finds. It never throws; what cannot be read
 * is recorded as what it is, or leaves the fact as it was.
 */
export type Probe = {
  name: string
  everyMs: number
  appliesTo(subject: Subject): boolean
  run(outside: Outside, subject: Subject, now: number): Promise<Findings>
}

// Of a change, which the draft may become.
const ID_CHARS_MAX = 64
const HASH_CHARS = 8

/**
 * The id of a draft, the same whenever the same is drafted: small letters, digits and single
 * hyphens, at most 64. What has to be cut ends in a hash of the whole.
 */
export function draftId(...parts: string[]): string {
  const whole = parts.join(' ')
  const id = hyphened(whole)
  if (id !== '' && id.length <= ID_CHARS_MAX) return id
  const hash = createHash('sha256').update(whole).digest('hex').slice(0, HASH_CHARS)
  return hyphened(`${id.slice(0, ID_CHARS_MAX - HASH_CHARS - 1)} ${hash}`)
}

function hyphened(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}
