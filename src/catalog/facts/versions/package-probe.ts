import { type Static, Type } from '@sinclair/typebox'
import { closed, day, textField } from '../../records/words.ts'
import type { FoundFact, Probe, ProbeNetwork, Subject } from '../fact.ts'

export const Version = closed({
  version: textField('Newest version.', 100),
  released: Type.Optional(day('Day of its release.')),
})
export type Version = Static<typeof Version>

/** A registry of packages. */
export type Registry = {
  /** Its name in `packages` of a record. */
  registry: string
  /** Whether a name is valid there; it becomes part of an address. */
  isName(name: string): boolean
  /** The newest version; undefined if it cannot be read. */
  latest(outside: ProbeNetwork, name: string, now: number): Promise<Version | undefined>
  popularity?: {
    field: 'npmWeekly' | 'pypiWeekly'
    /** Downloads in a week; null if there is no number, undefined if it cannot be read. */
    weekly(outside: ProbeNetwork, name: string): Promise<number | null | undefined>
  }
}

const DAY_MS = 24 * 3_600_000
// The most packages that are read for one record.
const PACKAGES_MAX = 5

/** Newest versions and downloads, once a day. */
export function packageProbe(registry: Registry): Probe {
  return {
    name: registry.registry,
    everyMs: DAY_MS,
    appliesTo: (subject) => namesOf(registry, subject).length > 0,
    async run(outside, subject, now) {
      const facts: FoundFact[] = []
      const weeks: Array<number | null | undefined> = []
      for (const name of namesOf(registry, subject)) {
        const about = `version ${registry.registry} ${name}`
        const version = await registry.latest(outside, name, now)
        if (version?.version) facts.push({ subject: about, value: version })
        weeks.push(await registry.popularity?.weekly(outside, name))
      }
      return { facts: [...facts, ...popularityOf(registry, weeks)] }
    },
  }
}

function namesOf({ registry, isName }: Registry, { tool }: Subject): string[] {
  const names = (tool.packages ?? []).filter((it) => it.registry === registry).map((it) => it.name)
  return [...new Set(names.filter(isName))].slice(0, PACKAGES_MAX)
}

/** The package with the most downloads counts; one install often brings the others. */
function popularityOf({ registry, popularity }: Registry, weeks: (number | null | undefined)[]) {
  if (!popularity || weeks.includes(undefined)) return []
  const counted = weeks.filter((week) => typeof week === 'number')
  const value = { [popularity.field]: counted.length > 0 ? Math.max(...counted) : null }
  return [{ subject: `popularity ${registry}`, value }]
}
