import type { CatalogSource } from '../authoring/catalog-source.ts'
import { probeTargetOf } from '../facts/answers/fact.ts'
import type { Probe } from '../facts/fact.ts'
import type { ProbeTime } from '../measured/probe-store.ts'
import type { AuthoredTool, AuthoredVendor } from '../records/authored.ts'
import { ROUND_EVERY_MS, ROUND_NAME, type RoundTarget } from './round.ts'

/** A tool that may be measured. */
export type Measurable = { tool: AuthoredTool; vendor: AuthoredVendor | undefined }

/** Every tool whose record does not say `probe: {off: true}`. */
export function measurables({ tools, vendors }: CatalogSource): Measurable[] {
  const byId = new Map(vendors.map((vendor) => [vendor.id, vendor]))
  return tools
    .filter(({ probe }) => !probe?.off)
    .map((tool) => ({ tool, vendor: byId.get(tool.vendor ?? '') }))
}

/** When each probe of each tool is due again. */
export type Times = { dueAt(slug: string, probe: string): number | undefined }

export function timesOf(rows: readonly ProbeTime[]): Times {
  const times = new Map(rows.map(({ slug, probe, dueAt }) => [`${slug} ${probe}`, dueAt]))
  return { dueAt: (slug, probe) => times.get(`${slug} ${probe}`) }
}

/**
 * Due now, or never run. A time that is absurdly far in the future was written by a wrong clock.
 */
function isDue(dueAt: number | undefined, everyMs: number, now: number): boolean {
  return dueAt === undefined || dueAt <= now || dueAt > now + Math.max(2 * everyMs, DAY_MS)
}

const DAY_MS = 86_400_000

/**
 * The targets of a round: as soon as one is due, all that are due within half the interval. Probing
 * them together shows whether the outage is ours or theirs.
 */
export function dueTargets(all: readonly Measurable[], times: Times, now: number): RoundTarget[] {
  const targets = all.flatMap(({ tool }) => {
    const target = probeTargetOf(tool)
    return target ? [{ slug: tool.slug, ...target }] : []
  })
  const due = (at: number) => (one: RoundTarget) =>
    isDue(times.dueAt(one.slug, ROUND_NAME), ROUND_EVERY_MS, at)
  return targets.some(due(now)) ? targets.filter(due(now + ROUND_EVERY_MS / 2)) : []
}

/** The other probes that are due, each with its tool: at most `most`, longest overdue first. */
export function dueProbes(
  all: readonly Measurable[],
  probes: readonly Probe[],
  { times, now, most }: { times: Times; now: number; most: number },
): Array<{ one: Measurable; probe: Probe }> {
  const due = all.flatMap((one) =>
    probes.flatMap((probe) => {
      const at = times.dueAt(one.tool.slug, probe.name)
      if (!isDue(at, probe.everyMs, now)) return []
      return probe.appliesTo({ ...one, memories: NOTHING_KNOWN })
        ? [{ one, probe, at: at ?? 0 }]
        : []
    }),
  )
  return due.sort((a, b) => a.at - b.at).slice(0, most)
}

const NOTHING_KNOWN: ReadonlyMap<string, unknown> = new Map()
