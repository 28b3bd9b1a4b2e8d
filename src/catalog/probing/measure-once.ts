import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { CatalogSource } from '../authoring/catalog-source.ts'
import { probeTargetOf } from '../facts/answers/fact.ts'
import type { Probe } from '../facts/fact.ts'
import { recordGrades } from '../measured/grade-history.ts'
import { type Measurable, measurables } from './due.ts'
import { forEachLimited } from './for-each-limited.ts'
import { type MeasuredCounts, measure } from './measure.ts'
import type { PoliteFetch } from './polite-fetch.ts'
import { type Round, type RoundTarget, runRound } from './round.ts'

export type OnceDeps = {
  db: Db
  clock: Clock
  outside: PoliteFetch
  probes: readonly Probe[]
  canary?: string | undefined
  random(): number
  report(error: unknown): void
  signal?: AbortSignal
  /** Called with the progress; `detail` says which tool is about to be asked. */
  step?(done: number, of: number, detail?: string): void
}

/** The results of measuring everything once. */
export type MeasuredOnce = {
  /** The availability probes, in the order of the catalog. */
  targets: readonly RoundTarget[]
  round: Round
  /** The totals of all other measurements by slug. */
  measured: ReadonlyMap<string, MeasuredCounts>
}

const TOOLS_AT_ONCE = 8

/** Measures tools now, regardless of schedule: those in `slugs`, or all if `slugs` is empty. */
export async function probeOnce(
  deps: OnceDeps,
  source: CatalogSource,
  slugs: readonly string[],
): Promise<MeasuredOnce> {
  const { probes, signal } = deps
  const selected = measurables(source).filter(
    ({ tool }) => slugs.length === 0 || slugs.includes(tool.slug),
  )
  const targets = selected.flatMap(({ tool }) => {
    const target = probeTargetOf(tool)
    return target ? [{ slug: tool.slug, ...target }] : []
  })
  const jobs = selected.map((one) => ({
    one,
    probes: probes.filter((probe) => applies(probe, one)),
  }))
  const of = targets.length + jobs.reduce((sum, job) => sum + job.probes.length, 0)
  let done = 0
  const asking = (slug: string) => deps.step?.(done, of, `asking ${slug}`)
  const onAsked = () => deps.step?.(++done, of)
  const round = await runRound({ ...deps, asking, asked: onAsked }, targets)
  const measured = new Map<string, MeasuredCounts>()
  const work = async (job: (typeof jobs)[number]) => {
    for (const probe of job.probes) {
      if (signal?.aborted) return
      const { slug } = job.one.tool
      asking(slug)
      measured.set(slug, plus(measured.get(slug), await measure(deps, job.one, probe)))
      onAsked()
    }
  }
  await forEachLimited(jobs, TOOLS_AT_ONCE, work, signal)
  if (!source.settings.preview && !signal?.aborted) await recordGrades(deps)
  return { targets, round, measured }
}

function applies(probe: Probe, one: Measurable): boolean {
  return probe.appliesTo({ ...one, memories: new Map() })
}

function plus(
  a: MeasuredCounts = { facts: 0, drafts: 0, prices: 0 },
  b: MeasuredCounts,
): MeasuredCounts {
  return { facts: a.facts + b.facts, drafts: a.drafts + b.drafts, prices: a.prices + b.prices }
}
