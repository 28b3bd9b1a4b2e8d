import { createHash } from 'node:crypto'
import type { Static, TObject, TProperties, TSchema } from '@sinclair/typebox'
import type { ComponentChildren, FunctionComponent, VNode } from 'preact'
import { isoTime } from '../../platform/clock.ts'
import type { Fetched, GuardedRequest } from '../../platform/outgoing/guarded-fetch.ts'
import type { AuthoredTool, AuthoredVendor } from '../records/authored.ts'
import type { FactBases } from './bases.ts'

/**
 * What is measured of a tool, and how each face says it. Everything else is derived from the list
 * of these in `facts.ts`: the schema of `live` in JSON and OpenAPI, what is asked, what is read back
 * from the database, the lines in Markdown and the rows on the page.
 */
export type FactModule<
  Name extends string = string,
  Value extends TSchema = TSchema,
  Properties extends TProperties = TProperties,
> = {
  /** The first word of its subjects in the database: `NAME`, or `NAME WHICH` where there are several. */
  name: Name
  /** What is stored under each subject. Times stand beside a value, never in it. */
  value: Value
  /** The members of `live` that it fills, with their schemas. */
  live: Properties
  /** What measures it; nothing where the probe of another fact brings it. */
  probes?(bases: FactBases): readonly Probe[]
  /** Its members of `live`; called without anything found too. */
  read(
    found: ReadonlyArray<StoredValue<Static<Value>>>,
    kept: FactHistory,
  ): LivePart<Properties> | Promise<LivePart<Properties>>
  /** Its lines under "Measured", in Markdown. */
  markdown?(live: LivePart<Properties>, kit: MarkdownKit): string[]
  /** Its rows under "Measured", on the page. */
  html?(live: LivePart<Properties>, kit: HtmlKit): VNode | null | undefined
}

type LivePart<Properties extends TProperties> = Partial<Static<TObject<Properties>>>

/** Infers the types of a fact from its schemas. */
export function defineFact<
  Name extends string,
  Value extends TSchema,
  Properties extends TProperties,
>(module: FactModule<Name, Value, Properties>): FactModule<Name, Value, Properties> {
  return module
}

/** A value as it is kept, with its times in milliseconds since 1970. */
export type StoredValue<V> = {
  subject: string
  value: V
  /** When the subject was first known. */
  seenAt: number
  /** When it became what it is. */
  changedAt: number
  /** When it was last looked at. */
  checkedAt: number
}

/** What else is kept of the tool, for facts that show more than their newest value. */
export type FactHistory = {
  now: number
  /** Every price that was seen. */
  prices(): Promise<ReadonlyArray<Price & { seenAt: number }>>
  /** Tries to reach it after an instant, oldest first. */
  results(after: number): Promise<readonly ProbeResult[]>
  lastResult(): Promise<ProbeResult | undefined>
  /** Its days after a day, oldest first. */
  days(after: string): Promise<readonly ProbeDay[]>
}

/** A single value with the time at which it was last looked at. */
export function withTime<V extends object>({ value, checkedAt }: StoredValue<V>) {
  return { ...value, checkedAt: isoTime(checkedAt) }
}

/** How Markdown is written. What is text stays text, whatever is in it. */
export type MarkdownKit = {
  /** `- **Label:** text`, or nothing for an empty text; `text` is Markdown already. */
  fact(label: string, text: string | undefined): string[]
  text(text: string): string
  code(text: string): string
  address(url: string): string
}

/** The components and words of the pages. */
export type HtmlKit = {
  /** A label and its value; nothing without a value. */
  Fact: FunctionComponent<{ name: string; children?: ComponentChildren }>
  /** A link to somewhere else; plain text where a browser must not follow it. */
  Out: FunctionComponent<{ to: string | undefined; children: ComponentChildren }>
  Day: FunctionComponent<{ day: string }>
  number(value: number): string
  /** A word of the record, such as `npm`, as people write it. */
  wordFor(word: string): string
}

/** An answer with the milliseconds that it took, from the request on; waiting for a turn is none. */
export type Timed = Fetched & { tookMs?: number }

/**
 * The world as a probe sees it: the polite fetch, which says who asks, has one request in flight a
 * host, and keeps to Retry-After and robots.txt. What may not be asked is `blocked`.
 */
export type ProbeNetwork = {
  fetch: (url: string, request?: GuardedRequest) => Promise<Timed>
}

/** What is measured. */
export type Subject = {
  tool: AuthoredTool
  vendor: AuthoredVendor | undefined
  /** The newest value of each fact, by its subject. */
  known: ReadonlyMap<string, unknown>
}

/** Something that was measured of a tool, without times: those are kept beside it. */
export type FoundFact = {
  subject: string
  value: unknown
  /** When it was read, where that was before it is put: for another tool of the same vendor. */
  at?: number
}

/** A change that a measurement suggests; its id is the one that the change would have. */
export type DraftChange = { id: string; slug: string; kind: string; what: string; source: string }

/** What is asked for one call: the address, where and in what it is paid, and the price. */
export type Price = { url: string; network: string; asset: string; priceUsd: string | null }

/**
 * How one try to reach a tool went. `gated` asked for credentials or payment; `unknown` says nothing
 * about the tool and counts neither as up nor as down.
 */
export type ProbeOutcome = 'open' | 'gated' | 'wrong-transport' | 'not-mcp' | 'dead' | 'unknown'

/** One try to reach a tool: an HTTP status and milliseconds where there was an answer. */
export type ProbeResult = {
  slug: string
  at: number
  outcome: ProbeOutcome
  status: number | null
  ms: number | null
  authRequired: boolean
}

/** The tries of a day (`YYYY-MM-DD`, UTC), counted: those that say something, those answered. */
export type ProbeDay = { slug: string; date: string; probes: number; ok: number }

/** What a probe found. A fact that is not among them stays as it was. */
export type Findings = {
  facts: FoundFact[]
  drafts?: Omit<DraftChange, 'slug'>[]
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
  run(outside: ProbeNetwork, subject: Subject, now: number): Promise<Findings>
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
