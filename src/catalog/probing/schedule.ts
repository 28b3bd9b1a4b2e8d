import { type Clock, isoTime } from '../../platform/clock.ts'
import type { AgreedTime } from '../../platform/db/agreed-time.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Log } from '../../platform/log.ts'
import type { GuardedFetch } from '../../platform/outgoing/guarded-fetch.ts'
import { repeatEvery } from '../../platform/repeat.ts'
import type { Probe } from '../facts/fact.ts'
import { dropStaleFacts, forgetTool, measuredSlugs } from '../measured/fact-store.ts'
import { recordGrades } from '../measured/grade-history.ts'
import { purgeResults, readTimes } from '../measured/probe-store.ts'
import { readPublished } from '../publishing/read-published.ts'
import { latestRevision } from '../publishing/store.ts'
import { dueProbes, dueTargets, type Measurable, measurables, timesOf } from './due.ts'
import { forEachLimited } from './for-each-limited.ts'
import { createTurns } from './lease.ts'
import { measure } from './measure.ts'
import { createPoliteFetch, type PoliteFetch } from './polite-fetch.ts'
import { runRound } from './round.ts'

export type ProbingDeps = {
  db: Db
  clock: Clock
  agreedTime: AgreedTime
  log: Log
  /** The guarded fetch. */
  fetch: GuardedFetch['fetch']
  /**
   * The server's address, whose methodology page explains the requests; that of `catalog.yaml`
   * wins.
   */
  baseUrl: string
  /** Names this process: if several share a database, one of them probes. */
  holder: string
  probes: readonly Probe[]
  canary?: string | undefined
  random(): number
  /** Called with the outcome of each probe; `discarded` for a discarded round. */
  probed?(outcome: string): void
  /** Between two requests to a host. */
  pauseMs?: number
}

const LOOK_EVERY_MS = 60_000
// A server that has just started serves requests first.
const BEGIN_AFTER_MS = 20_000
const FORGET_EVERY_MS = 3_600_000
const TOOLS_AT_ONCE = 8
// Keeps rounds close to their time.
const PROBES_AT_ONCE = 300

const DAY_MS = 86_400_000
/** How many days single probes are kept, and daily counts. */
const RESULT_DAYS = 8
const DAYS_KEPT = 400
// The rarest measurement runs every few weeks; facts that were not read for longer are deleted.
const FACT_DAYS = 60

type Turn = ProbingDeps & {
  outside: PoliteFetch
  signal: AbortSignal
  report(error: unknown): void
}
type CatalogState = {
  sequence: number
  preview: boolean
  baseUrl: string | undefined
  all: readonly Measurable[]
}

/**
 * Measures the published catalog until disposed. Due times are in the database, so that a restart
 * continues there. A preview catalog is not measured, so that nobody sends requests to the vendors
 * of the examples by accident.
 */
export function keepProbing(deps: ProbingDeps): AsyncDisposable {
  const { clock, log, fetch, pauseMs } = deps
  const closing = new AbortController()
  const { signal } = closing
  const catalog = readOnce(deps.db)
  const outside = createPoliteFetch({
    fetch,
    clock,
    signal,
    baseUrl: () => catalog.known()?.baseUrl ?? deps.baseUrl,
    ...(pauseMs === undefined ? {} : { pauseMs }),
  })
  const report = (error: unknown) => log.error('a measurement failed', { error })
  const turn: Turn = { ...deps, outside, signal, report }
  const shift = createShift(turn, catalog.read)
  let loops: AsyncDisposable[] = []
  const begin = () => {
    // Slow measurements do not delay a round.
    const every = (ms: number, work: Work) => repeatEvery(clock, ms, () => shift(work), report)
    loops = [
      every(LOOK_EVERY_MS, roundOf),
      every(LOOK_EVERY_MS, othersOf),
      every(FORGET_EVERY_MS, forgetOld),
    ]
  }
  const forget = clock.after(BEGIN_AFTER_MS, begin)
  return {
    async [Symbol.asyncDispose]() {
      forget()
      closing.abort()
      await Promise.all(loops.map((loop) => loop[Symbol.asyncDispose]()))
    },
  }
}

/** Prepares the work that is due now; resolves to undefined if nothing is due. */
type Work = (turn: Turn, all: readonly Measurable[]) => Promise<(() => Promise<void>) | undefined>

/** Runs work if some is due, the catalog may be measured and this process has the lease. */
function createShift(turn: Turn, catalog: () => Promise<CatalogState | undefined>) {
  const inTurn = createTurns(turn)
  return async (work: Work): Promise<void> => {
    const current = await catalog()
    if (!current || current.preview || turn.signal.aborted) return
    if (!(await work(turn, current.all))) return
    await inTurn(async () => {
      // Another process may have done it in the meantime.
      const job = await work(turn, current.all)
      await job?.()
    })
  }
}

const roundOf: Work = async (turn, all) => {
  const { db, clock, log, signal } = turn
  const times = timesOf(await readTimes(db.read))
  const targets = dueTargets(all, times, clock.now())
  if (targets.length === 0) return undefined
  return async () => {
    const { tried, discarded } = await runRound(turn, targets)
    for (const { outcome } of tried.values()) {
      turn.probed?.(discarded === undefined ? outcome : 'discarded')
    }
    if (discarded !== undefined && !signal.aborted) {
      log.warn('a round of probes was discarded', { why: discarded })
    }
    await recordGrades(turn)
  }
}

const othersOf: Work = async (turn, all) => {
  const { db, clock, probes, signal } = turn
  const times = timesOf(await readTimes(db.read))
  const due = dueProbes(all, probes, { times, now: clock.now(), most: PROBES_AT_ONCE })
  if (due.length === 0) return undefined
  const inOrder = async (some: typeof due) => {
    for (const { one, probe } of some) {
      if (!signal.aborted) await measure(turn, one, probe)
    }
  }
  const byTool = Map.groupBy(due, ({ one }) => one.tool.slug)
  return () => forEachLimited(byTool.values(), TOOLS_AT_ONCE, inOrder, signal)
}

/** Deletes old measurements, and those of tools that were removed or are no longer measured. */
const forgetOld: Work =
  async ({ db, agreedTime, log }, all) =>
  async () => {
    const now = await agreedTime.read()
    if (now !== undefined) await forgetBefore({ db, log }, now)
    const slugs = new Set(all.map(({ tool }) => tool.slug))
    for (const slug of await measuredSlugs(db.read)) {
      if (!slugs.has(slug)) await db.write((tx) => forgetTool(tx, slug))
    }
  }

async function forgetBefore({ db, log }: Pick<ProbingDeps, 'db' | 'log'>, now: number) {
  const firstDay = isoTime(now - DAYS_KEPT * DAY_MS).slice(0, 10)
  const measurements = await db.write(async (tx) => {
    await dropStaleFacts(tx, now - FACT_DAYS * DAY_MS)
    return await purgeResults(tx, now - RESULT_DAYS * DAY_MS, firstDay)
  })
  if (measurements > 0) log.info('removed measurements that are over their time', { measurements })
}

/** The published catalog, read again after each publish. */
function readOnce(db: Db) {
  let current: CatalogState | undefined
  async function read(): Promise<CatalogState | undefined> {
    const latest = await latestRevision(db.read)
    if (latest?.sequence === current?.sequence) return current
    const published = await readPublished(db.read)
    if (!published) return undefined
    const { source, revision } = published
    const { preview = false, baseUrl } = source.settings
    current = { sequence: revision.sequence, preview, baseUrl, all: measurables(source) }
    return current
  }
  return { read, known: () => current }
}
