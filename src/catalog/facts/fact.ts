import type { Static, TObject, TProperties, TSchema } from '@sinclair/typebox'
import type { VNode } from 'preact'
import { isoTime } from '../../platform/clock.ts'
import type { Fetched, GuardedRequest } from '../../platform/outgoing/guarded-fetch.ts'
import { sha256 } from '../../platform/signing/sha256.ts'
import type { AuthoredTool, AuthoredVendor } from '../records/authored.ts'
import type { MarkdownKit, PageKit } from '../records/output-kits.ts'
import type { FactBases } from './bases.ts'
import type { ToolList } from './mcp-tools/tool-list.ts'

/**
 * A fact that is measured of a tool, and how each output shows it. Everything else is derived from
 * the list of facts in `facts.ts`: the schema of `live` in JSON and OpenAPI, which probes run, what
 * is read back from the database, the lines in Markdown and the rows on the page.
 */
export type FactModule<
  Name extends string = string,
  Value extends TSchema = TSchema,
  Properties extends TProperties = TProperties,
> = {
  /** The first word of its subjects in the database: `NAME`, or `NAME WHICH` where there are several. */
  name: Name
  /** The value stored under each subject. Times are stored next to a value, not in it. */
  value: Value
  /** The members of `live` that it fills, with their schemas. */
  live: Properties
  /** True if each value that differs from the one before stays on record. */
  remembered?: true
  /** The probes that measure it; missing if the probe of another fact does. */
  probes?(bases: FactBases): readonly Probe[]
  /** Makes its members of `live`; also called if nothing was found. */
  read(
    stored: ReadonlyArray<StoredValue<Static<Value>>>,
    history: FactHistory,
  ): LivePart<Properties> | Promise<LivePart<Properties>>
  /** The lines under "Measured", in Markdown. */
  markdown?(live: LivePart<Properties>, kit: MarkdownKit): string[]
  /** The rows under "Measured", on the page. */
  html?(live: LivePart<Properties>, kit: PageKit): VNode | null | undefined
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

/** A stored value with its times in milliseconds since 1970. */
export type StoredValue<V> = {
  subject: string
  value: V
  /** When the subject was first known. */
  seenAt: number
  /** When it last changed. */
  changedAt: number
  /** When it was last read. */
  checkedAt: number
}

/** Further stored measurements of the tool, for facts that show more than their newest value. */
export type FactHistory = {
  now: number
  /** Every price that was seen. */
  prices(): Promise<ReadonlyArray<Price & { seenAt: number }>>
  /** Probes after an instant, oldest first. */
  results(after: number): Promise<readonly ProbeResult[]>
  lastResult(): Promise<ProbeResult | undefined>
  /** Reads the days after a day, oldest first. */
  days(after: string): Promise<readonly ProbeDay[]>
}

/** The value with the time at which it was last read. */
export function withTime<V extends object>({ value, checkedAt }: StoredValue<V>) {
  return { ...value, checkedAt: isoTime(checkedAt) }
}

/**
 * An answer with its duration in milliseconds, without the time spent waiting for a turn. `host`: it
 * was blocked because of what the host wants, by its robots.txt or by a pause that it asked for.
 */
export type Timed = Fetched & { tookMs?: number; host?: 'robots' | 'pause' }

/**
 * The network as a probe sees it: a fetch that identifies itself, sends one request at a time to
 * each host, and follows Retry-After and robots.txt. A forbidden request is `blocked`.
 */
export type ProbeNetwork = {
  fetch: (url: string, request?: GuardedRequest) => Promise<Timed>
}

/** The tool that is measured. */
export type Subject = {
  tool: AuthoredTool
  vendor: AuthoredVendor | undefined
  /** The newest value of each fact, by its subject. */
  memories: ReadonlyMap<string, unknown>
}

/** A measured value without times, which are stored next to it. */
export type FoundFact = {
  subject: string
  value: unknown
  /** When it was read, if that was earlier: for another tool of the same vendor. */
  at?: number
}

/** A change that a measurement suggests; its id is the one that the change would get. */
export type DraftChange = { id: string; slug: string; kind: string; what: string; source: string }

/** The price of one call: address, network, asset and US dollars. */
export type Price = { url: string; network: string; asset: string; priceUsd: string | null }

/**
 * The outcome of one probe. `gated` asked for credentials or payment; `unknown` and `not-mcp` do not
 * say whether the tool is up, so they count neither as up nor as down.
 */
export type ProbeOutcome = 'open' | 'gated' | 'wrong-transport' | 'not-mcp' | 'dead' | 'unknown'

/** Why a probe does not say whether the tool is up. */
export const UNKNOWN_REASONS = [
  'opted-out',
  'rate-limited',
  'private-address',
  'address-not-allowed',
  'not-found',
  'not-mcp',
  'unclear-answer',
] as const
export type UnknownReason = (typeof UNKNOWN_REASONS)[number]

/** One probe, with HTTP status and milliseconds if there was an answer. */
export type ProbeResult = {
  slug: string
  at: number
  outcome: ProbeOutcome
  status: number | null
  ms: number | null
  authRequired: boolean
}

/** The probes of a day (`YYYY-MM-DD`, UTC): how many say something, and how many were answered. */
export type ProbeDay = { slug: string; date: string; probes: number; ok: number }

/** Median and 95th percentile of the milliseconds until an answer, on one day. */
export type SpeedDay = { slug: string; date: string; p50ms: number; p95ms: number }

/** The results of a probe. A fact that is missing keeps its stored value. */
export type Findings = {
  facts: FoundFact[]
  drafts?: Omit<DraftChange, 'slug'>[]
  prices?: Price[]
  /** The tools of an MCP server, for the history of its list. */
  toolList?: ToolList
}

/**
 * One kind of measurement: when it is due, and how it is made. Never throws; what cannot be read is
 * recorded as such, or keeps its stored value.
 */
export type Probe = {
  name: string
  everyMs: number
  appliesTo(subject: Subject): boolean
  run(outside: ProbeNetwork, subject: Subject, now: number): Promise<Findings>
}

// The limits of a change id, since a draft may become a change.
const ID_CHARS_MAX = 64
const HASH_CHARS = 8

/**
 * The id of a draft, the same for the same parts: small letters, digits and single hyphens, at most
 * 64. A longer one is cut and ends in a hash of the whole.
 */
export function draftId(...parts: string[]): string {
  const whole = parts.join(' ')
  const id = hyphened(whole)
  if (id !== '' && id.length <= ID_CHARS_MAX) return id
  const hash = sha256(whole).slice(0, HASH_CHARS)
  return hyphened(`${id.slice(0, ID_CHARS_MAX - HASH_CHARS - 1)} ${hash}`)
}

function hyphened(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}
