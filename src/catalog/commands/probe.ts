import { systemClock } from '../../platform/clock.ts'
import { EXIT } from '../../platform/command.ts'
import type { Config } from '../../platform/config/config.ts'
import type { ReadConfig } from '../../platform/config/config-reader.ts'
import type { OpenDb } from '../../platform/db/database.ts'
import { openKnownDatabase } from '../../platform/db/open-database.ts'
import { addressForLinks } from '../../platform/db/server-address.ts'
import { Failure } from '../../platform/failure.ts'
import { randomText } from '../../platform/ids.ts'
import { createGuardedFetch } from '../../platform/outgoing/guarded-fetch.ts'
import { DATA_OPTION, readOpenArguments } from '../../platform/terminal/arguments.ts'
import { progress } from '../../platform/terminal/progress.ts'
import { stopSignal } from '../../platform/terminal/stop-signal.ts'
import { isTerminal, note, say, table } from '../../platform/terminal/terminal.ts'
import type { CatalogSource } from '../authoring/catalog-source.ts'
import { authRequiredOf, isUp } from '../facts/answers/fact.ts'
import { ALL_PROBES } from '../facts/facts.ts'
import { readDrafts } from '../measured/draft-store.ts'
import { withLease } from '../probing/lease.ts'
import { type MeasuredOnce, probeOnce } from '../probing/measure-once.ts'
import { createPoliteFetch } from '../probing/polite-fetch.ts'
import { readPublished } from '../publishing/read-published.ts'

const OPTIONS = { ...DATA_OPTION, json: { type: 'boolean' } } as const

/**
 * `beckon catalog probe [SLUG…]`: measures the published tools once, now, also those of a preview.
 * Exits 0 once they are measured, whatever the results; 1 if nothing could be measured: this
 * machine is offline, or the run was cancelled.
 */
export async function probeCommand(args: string[], readConfig: ReadConfig): Promise<number> {
  const { operands, data, json } = readOpenArguments(args, OPTIONS)
  const config = readConfig({ data })
  await using db = await openKnownDatabase(config)
  const source = (await readPublished(db.read))?.source
  if (!source) throw new Failure('not_found', NOTHING)
  refuseUnknown(source, operands)
  const once = await measureNow({ config, db, source }, operands)
  const drafts = await readDrafts(db.read, 'open')
  if (json) say(JSON.stringify({ ...inJson(source, once), drafts }, null, 2))
  else tell(source, once, drafts.length)
  return once.round.discarded === undefined ? EXIT.done : EXIT.failed
}

const NOTHING = 'Nothing is published here, so there is nothing to measure; beckon catalog publish.'

function refuseUnknown({ tools }: CatalogSource, operands: readonly string[]): void {
  const bySlug = new Map(tools.map((tool) => [tool.slug, tool]))
  const off = operands.find((slug) => bySlug.get(slug)?.probe?.off)
  if (off) throw new Failure('conflict', `${off} is never measured: its record says probe: off.`)
  const unknown = operands.find((slug) => !bySlug.has(slug))
  if (!unknown) return
  throw new Failure('not_found', `There is no published record called ${unknown}.`)
}

type Ground = { config: Config; db: OpenDb; source: CatalogSource }

async function measureNow(
  { config, db, source }: Ground,
  slugs: readonly string[],
): Promise<MeasuredOnce> {
  const clock = systemClock
  const stop = new AbortController()
  void stopSignal().then(() => stop.abort())
  const { signal } = stop
  const { allowPrivateHosts, catalog } = config
  const { fetch } = createGuardedFetch({ allowPrivateHosts })
  const reached = source.settings.baseUrl ?? addressForLinks(config).baseUrl
  const baseUrl = () => reached
  const outside = createPoliteFetch({ fetch, clock, baseUrl, signal })
  const bar = progress('measured', isTerminal(2))
  const report = (error: unknown) => note(`A measurement failed: ${String(error)}`)
  const waiting = () => note('A server is measuring; waiting for it.')
  const holder = randomText(16)
  try {
    return await withLease({ db, clock, holder, signal, waiting }, () =>
      probeOnce(
        {
          db,
          clock,
          outside,
          canary: catalog.canary,
          signal,
          report,
          probes: ALL_PROBES,
          random: Math.random,
          step: bar.step,
        },
        source,
        slugs,
      ),
    )
  } finally {
    bar.end()
  }
}

function inJson({ tools }: CatalogSource, { targets, round, measured }: MeasuredOnce) {
  const target = new Map(targets.map((one) => [one.slug, one]))
  const requested = tools.filter(({ slug }) => target.has(slug) || measured.has(slug))
  return {
    kept: round.discarded === undefined,
    ...(round.discarded === undefined ? {} : { discarded: round.discarded }),
    tools: requested.map(({ slug }) => {
      const tried = round.tried.get(slug)
      const { target: url, method } = target.get(slug) ?? {}
      const answers = tried && { target: url, method, ...inWords(tried) }
      return { slug, ...(answers ? { answers } : {}), found: measured.get(slug) ?? null }
    }),
  }
}

function inWords(tried: Tried) {
  const { outcome, status, ms, why } = tried
  return { outcome, status, ms, ...authRequiredOf(tried), ...(why === undefined ? {} : { why }) }
}

type Tried = MeasuredOnce['round']['tried'] extends ReadonlyMap<string, infer T> ? T : never

function tell(source: CatalogSource, once: MeasuredOnce, drafts: number): void {
  const { targets, round, measured } = once
  const rows = source.tools.flatMap(({ slug }) => {
    const tried = round.tried.get(slug)
    const counts = measured.get(slug)
    if (!tried && !counts) return []
    const [status, ms] = [tried?.status ?? '-', tried?.ms ?? '-']
    const facts = counts ? String(counts.facts) : '-'
    return [[slug, tried?.outcome ?? '-', String(status), String(ms), facts, tried?.why ?? '']]
  })
  if (rows.length > 0) say(table(['RECORD', 'ANSWERS', 'STATUS', 'MS', 'FACTS', ''], rows))
  const all = [...round.tried.values()]
  const up = all.filter(({ outcome }) => isUp(outcome)).length
  note(`${up} of ${targets.length} addresses answer; ${factsOf(once)} facts were read.`)
  if (drafts > 0) note(`${drafts} drafts of changes wait: beckon catalog drafts.`)
  if (round.discarded !== undefined) note(`None of the answers were kept. ${round.discarded}`)
}

function factsOf({ measured }: MeasuredOnce): number {
  return [...measured.values()].reduce((sum, { facts }) => sum + facts, 0)
}
