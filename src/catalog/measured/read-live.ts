import { isoTime } from '../../platform/clock.ts'
import type { Read } from '../../platform/db/database.ts'
import { DAY_MS, DAYS_SHOWN, isUp, liveProbe } from '../facts/answers/fact.ts'
import type { Live, LiveBySlug } from '../records/live.ts'
import { measuredSlugs, readFacts, type StoredFact } from './fact-store.ts'
import { type FactKind, type FactValue, factValue } from './fact-words.ts'
import { paidCheck } from './paid-check.ts'
import { readPrices } from './price-store.ts'
import { readDays, readLastResult, readResults } from './probe-store.ts'

// Few enough that other work of the server does not wait for it.
const TOOLS_AT_ONCE = 20

/** Everything that was measured, as it is served, by slug. Reads some tools at a time. */
export async function readLive(read: Read, now: number): Promise<LiveBySlug> {
  const all = new Map<string, Live>()
  const slugs = await measuredSlugs(read)
  for (let from = 0; from < slugs.length; from += TOOLS_AT_ONCE) {
    const some = slugs.slice(from, from + TOOLS_AT_ONCE)
    const facts = Map.groupBy(await readFacts(read, some), ({ slug }) => slug)
    for (const slug of some) {
      const live = await liveOf(read, slug, facts.get(slug) ?? [], now)
      if (live) all.set(slug, live)
    }
    await Bun.sleep(0)
  }
  return all
}

/** What was measured of one tool; undefined while nothing was. */
export async function readLiveOf(read: Read, slug: string, now: number): Promise<Live | undefined> {
  return await liveOf(read, slug, await readFacts(read, slug), now)
}

async function liveOf(
  read: Read,
  slug: string,
  facts: readonly StoredFact[],
  now: number,
): Promise<Live | undefined> {
  const probe = await readProbe(read, slug, facts, now)
  if (facts.length === 0 && !probe) return undefined
  const of = <K extends FactKind>(kind: K) => checkedOf(facts, kind)
  const popularity = of('popularity')
  const paid = of('x402')
  const prices = paid.length === 0 ? [] : await readPrices(read, slug)
  const times = facts.map(({ checkedAt }) => isoTime(checkedAt))
  const [security, llms, domain] = [of('securityTxt')[0], of('llmsTxt')[0], of('domain')[0]]
  const [status, tools, models] = [of('vendorStatus')[0], of('mcpTools')[0], of('models')[0]]
  const [repository, certificate] = [of('repository')[0], of('certificate')[0]]
  return {
    slug,
    ...(probe ? { probe } : {}),
    ...(status ? { vendorStatus: withTime(status) } : {}),
    versions: of('version').flatMap(versionOf),
    ...Object.assign({}, ...popularity.map(({ value }) => value)),
    ...(security ? { securityTxt: withTime(security) } : {}),
    ...(llms ? { llmsTxt: withTime(llms) } : {}),
    ...(domain ? { domain: withTime(domain) } : {}),
    ...(repository ? { repository: withTime(repository) } : {}),
    ...(certificate ? { certificate: withTime(certificate) } : {}),
    pages: of('page').map(pageOf),
    ...(tools ? { mcpTools: withTime(tools) } : {}),
    ...(models ? { models: modelsWithTime(models) } : {}),
    ...(paid.length === 0 ? {} : { x402: paid.map((fact) => paidCheck(fact, prices)) }),
    updatedAt: [...times, ...(probe ? [probe.lastAt] : [])].sort().at(-1) ?? null,
  }
}

/** A fact whose value is what it should be. */
type Checked<K extends FactKind> = Omit<StoredFact, 'value'> & { value: FactValue<K> }

function checkedOf<K extends FactKind>(facts: readonly StoredFact[], kind: K): Checked<K>[] {
  return facts.flatMap((fact) => {
    if (fact.subject !== kind && !fact.subject.startsWith(`${kind} `)) return []
    const value = factValue(kind, fact.value)
    return value === undefined ? [] : [{ ...fact, value }]
  })
}

function withTime<V extends object>({ value, checkedAt }: { value: V; checkedAt: number }) {
  return { ...value, checkedAt: isoTime(checkedAt) }
}

function modelsWithTime({ value, checkedAt }: Checked<'models'>): Live['models'] {
  const time = { checkedAt: isoTime(checkedAt) }
  return Object.fromEntries(Object.entries(value).map(([id, model]) => [id, { ...model, ...time }]))
}

function versionOf({ subject, value, changedAt }: Checked<'version'>): Live['versions'] {
  const [, registry, name] = /^version (\S+) (\S+)$/.exec(subject) ?? []
  if (registry === undefined || name === undefined) return []
  return [{ registry, name, ...value, seenAt: isoTime(changedAt) }]
}

function pageOf(fact: Checked<'page'>): Live['pages'][number] {
  const { subject, value, seenAt, changedAt } = fact
  return {
    url: subject.slice('page '.length),
    ...withTime(fact),
    kind: value.kind,
    changedAt: changedAt === seenAt ? null : isoTime(changedAt),
  }
}

async function readProbe(
  read: Read,
  slug: string,
  facts: readonly StoredFact[],
  now: number,
): Promise<Live['probe']> {
  const asked = checkedOf(facts, 'probe')[0]?.value
  if (!asked) return undefined
  const results = await readResults(read, slug, now - DAY_MS)
  const telling = results.findLast(({ outcome }) => isUp(outcome) !== undefined)
  const last = telling ?? (await readLastResult(read, slug))
  if (!last) return undefined
  const firstDay = isoTime(now - DAYS_SHOWN * DAY_MS).slice(0, 10)
  return liveProbe(asked, last, results, await readDays(read, slug, firstDay))
}
