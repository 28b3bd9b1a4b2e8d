import { type Clock, pause } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Findings, Probe, ProbeNetwork, Subject } from '../facts/fact.ts'
import { remembered } from '../facts/facts.ts'
import { noteFacts } from '../history/store.ts'
import { noteToolList } from '../history/tool-list-store.ts'
import { addDraft } from '../measured/draft-store.ts'
import { putFacts, readFacts } from '../measured/fact-store.ts'
import { addPrices } from '../measured/price-store.ts'
import { putTime } from '../measured/probe-store.ts'
import { jittered } from './round.ts'

export type MeasureDeps = {
  db: Db
  clock: Clock
  outside: ProbeNetwork
  signal?: AbortSignal
  random(): number
  report(error: unknown): void
}

/** The numbers of results of one run. */
export type MeasuredCounts = { facts: number; drafts: number; prices: number }

// The time limit of a probe, so that the next one has its turn.
const RUN_MOST_MS = 5 * 60_000
const NOTHING: Findings = { facts: [] }

/** Runs one probe of one tool and stores what it found; a failure does not affect others. */
export async function measure(
  deps: MeasureDeps,
  target: Pick<Subject, 'tool' | 'vendor'>,
  probe: Probe,
): Promise<MeasuredCounts> {
  const { db, clock, signal, random } = deps
  const { slug } = target.tool
  const facts = await readFacts(db.read, slug)
  const memories = new Map(facts.map(({ subject, value }) => [subject, value]))
  const result = await findings(deps, { ...target, memories }, probe)
  if (signal?.aborted) return { facts: 0, drafts: 0, prices: 0 }
  const now = clock.now()
  const dueAt = now + jittered(probe.everyMs, random)
  return await db.write(async (tx) => {
    await putFacts(tx, slug, result.facts, now)
    let drafts = 0
    for (const draft of result.drafts ?? []) {
      if (await addDraft(tx, { ...draft, slug }, now)) drafts++
    }
    await noteFacts(tx, slug, remembered(result.facts), now)
    if (result.toolList) await noteToolList(tx, slug, result.toolList, now)
    const prices = await addPrices(tx, slug, result.prices ?? [], now)
    await putTime(tx, { slug, probe: probe.name, ranAt: now, dueAt })
    return { facts: result.facts.length, drafts, prices }
  })
}

async function findings(deps: MeasureDeps, subject: Subject, probe: Probe): Promise<Findings> {
  const { clock, outside, signal, report } = deps
  const bound = new AbortController()
  const late = pause(
    clock,
    RUN_MOST_MS,
    AbortSignal.any([bound.signal, ...(signal ? [signal] : [])]),
  )
  try {
    return await Promise.race([probe.run(outside, subject, clock.now()), late.then(() => NOTHING)])
  } catch (error) {
    report(error)
    return NOTHING
  } finally {
    bound.abort()
  }
}
