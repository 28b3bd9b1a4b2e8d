import { type Static, Type } from '@sinclair/typebox'
import { isoTime } from '../../../platform/clock.ts'
import { shape } from '../../../platform/schema.ts'
import { sha256 } from '../../../platform/signing/sha256.ts'
import { closed, instantField, link, openWord, orNull, textField } from '../../records/words.ts'
import type { Findings, FoundFact, Probe, ProbeNetwork, Subject } from '../fact.ts'
import { defineFact, draftId, type StoredValue, withTime } from '../fact.ts'
import { fingerprintOf } from '../page-text.ts'
import { isAbsent, mediaTypeOf, readAddress, textOf } from '../read-address.ts'
import { createShared, type Shared } from '../shared.ts'
import { addFetch, PageHistory, UNSEEN } from './page-history.ts'

const DAY_MS = 24 * 3_600_000
const BYTES_MAX = 2 * 1024 * 1024
const HTML = new Set(['text/html', 'application/xhtml+xml'])
const PLAIN = new Set(['text/plain', 'text/markdown'])
const FORM = shape(PageHistory)

type Draft = NonNullable<Findings['drafts']>[number]
/** The fingerprint that stands for a missing page. */
const ABSENT = /^absent (\d{3})$/

// What a change of the page means for the curator.
const DRAFTED: Partial<Record<PageKind, string>> = { pricing: 'price', terms: 'notice' }

const Page = closed({
  url: link('A page that is watched.'),
  kind: openWord('What it is.', ['pricing', 'terms', 'privacy', 'changelog', 'docs']),
  status: orNull(Type.Integer({ description: 'HTTP status.' })),
  checkedAt: instantField('When it was read.'),
  changedAt: orNull(instantField('When its text last changed.')),
  fingerprint: textField('Hash of its text.', 128),
})
const Read = Type.Pick(Page, ['kind', 'status', 'fingerprint'], { additionalProperties: false })

/** `page URL`: the pages that matter when they change. */
export const WATCHED_PAGES = defineFact({
  name: 'page',
  value: Read,
  live: { pages: Type.Array(Page) },
  probes: () => [pagesProbe()],
  read: (stored) => ({ pages: stored.map(pageOf) }),
})

function pageOf(stored: StoredValue<Static<typeof Read>>): Static<typeof Page> {
  const { subject, value, seenAt, changedAt } = stored
  return {
    url: subject.slice('page '.length),
    ...withTime(stored),
    kind: value.kind,
    changedAt: changedAt === seenAt ? null : isoTime(changedAt),
  }
}

/** Checks once a day whether pages of prices, terms, privacy and changes are unchanged. */
export function pagesProbe(): Probe {
  const shared = createShared<string | undefined>(DAY_MS / 2)

  return {
    name: 'pages',
    everyMs: DAY_MS,
    appliesTo: (subject) => watchedPages(subject).length > 0,
    async run(outside, subject, now) {
      const facts: FoundFact[] = []
      const drafts: Draft[] = []
      for (const page of watchedPages(subject)) {
        const findings = await watchPage(outside, subject, page, shared, now)
        facts.push(...findings.facts)
        drafts.push(...(findings.drafts ?? []))
      }
      return drafts.length > 0 ? { facts, drafts } : { facts }
    },
  }
}

async function watchPage(
  outside: ProbeNetwork,
  { memories, vendor, tool }: Subject,
  page: WatchedPage,
  shared: Shared<string | undefined>,
  now: number,
): Promise<Findings> {
  const { url, kind } = page
  const memory = `memory page ${url}`
  const before = historyOf(memories.get(memory))
  const { at, value: print } = await shared(url, now, () => read(outside, url))
  if (print === undefined) return { facts: [] }
  const day = isoTime(at).slice(0, 10)
  let { history, changed } = addFetch(before ?? UNSEEN, print, day)
  if (!before) {
    // The first fetch is confirmed at once instead of a day later.
    const second = await shared(`again ${url}`, now, () => read(outside, url))
    if (second.value !== undefined) ({ history, changed } = addFetch(history, second.value, day))
  }
  const facts = [{ subject: memory, value: history, at }, ...factsOf(page, history, at)]
  const as = DRAFTED[kind]
  if (!changed || as === undefined) return { facts }
  const id = draftId(vendor?.id ?? tool.slug, kind, shortHash(`${url} ${history.settled}`))
  const what = sentence(page, before?.sameOn || day, day, history.settled)
  return { facts, drafts: [{ id, kind: as, what, source: url }] }
}

function historyOf(memory: unknown): PageHistory | undefined {
  return FORM.wrong(memory).length === 0 ? (memory as PageHistory) : undefined
}

/** The fingerprint of a page; undefined if it cannot be read. */
async function read(outside: ProbeNetwork, url: string): Promise<string | undefined> {
  const headers = { accept: 'text/html, text/plain;q=0.9', 'accept-language': 'en' }
  const reply = await readAddress(outside, url, { headers, maxBytes: BYTES_MAX })
  if (reply.outcome !== 'answered') return undefined
  if (isAbsent(reply)) return `absent ${reply.status}`
  const type = mediaTypeOf(reply.headers)
  if (reply.status !== 200 || reply.cut || !(HTML.has(type) || PLAIN.has(type))) return undefined
  return fingerprintOf(textOf(reply), HTML.has(type))
}

/** A page has no fingerprint until two fetches agree. */
function factsOf({ url, kind }: WatchedPage, history: PageHistory, at: number): FoundFact[] {
  const { settled, unstable } = history
  if (settled === '' && !unstable) return []
  const [, absent] = ABSENT.exec(settled) ?? []
  const status = absent === undefined ? 200 : Number(absent)
  const fingerprint = absent === undefined ? settled : ''
  return [{ subject: `page ${url}`, value: { kind, status, fingerprint }, at }]
}

const NAMES: Record<PageKind, string> = {
  pricing: 'page of prices',
  terms: 'page of terms',
  privacy: 'page on privacy',
  changelog: 'changelog',
}

function sentence({ url, kind }: WatchedPage, from: string, to: string, settled: string): string {
  const when = from === to ? `on ${to}` : `between ${from} and ${to}`
  const what = ABSENT.test(settled) ? 'was taken away' : 'changed'
  return `The ${NAMES[kind]} ${what} ${when}: ${url}`
}

function shortHash(text: string): string {
  return sha256(text).slice(0, 12)
}

type PageKind = 'pricing' | 'terms' | 'privacy' | 'changelog'
type WatchedPage = { url: string; kind: PageKind }

// Price pages; a record may name one for each price, and most are the same.
const PRICING_MAX = 3
const ABOUT_PRICES = /^(pricing|pricingNotes|priceSummary|unitPrices)\b/

/**
 * The watched pages: sources of prices, the vendor's terms and privacy, and the changelog. Each
 * address once, without its fragment.
 */
export function watchedPages({ tool, vendor }: Pick<Subject, 'tool' | 'vendor'>): WatchedPage[] {
  const prices = [
    ...(tool.unitPrices ?? []).map(({ source }) => source),
    ...(tool.sources ?? []).flatMap(({ url, facts }) =>
      facts.some((fact) => ABOUT_PRICES.test(fact)) ? [url] : [],
    ),
  ]
  const pricing = [...new Set(prices.flatMap(addressOf))].slice(0, PRICING_MAX)
  const candidates: Array<[string | undefined, PageKind]> = [
    ...pricing.map((url) => [url, 'pricing'] as [string, PageKind]),
    [vendor?.terms, 'terms'],
    [vendor?.privacy, 'privacy'],
    [tool.changelog, 'changelog'],
  ]
  const kinds = new Map<string, PageKind>()
  for (const [address, kind] of candidates) {
    for (const url of addressOf(address)) if (!kinds.has(url)) kinds.set(url, kind)
  }
  return [...kinds].map(([url, kind]) => ({ url, kind }))
}

function addressOf(text: string | undefined): string[] {
  const url = URL.parse(text ?? '')
  if (!url) return []
  url.hash = ''
  return [url.href]
}
