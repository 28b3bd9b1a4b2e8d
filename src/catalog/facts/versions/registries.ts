import { type Static, Type } from '@sinclair/typebox'
import { isoTime } from '../../../platform/clock.ts'
import { shape } from '../../../platform/schema.ts'
import { closed, day, textField } from '../../records/words.ts'
import type { FactBases } from '../bases.ts'
import type { FoundFact, Probe, ProbeNetwork, Subject } from '../fact.ts'
import {
  mediaTypeOf,
  oneLine,
  pastDay,
  readAddress,
  readJsonAddress,
  textOf,
} from '../read-address.ts'

export const Version = closed({
  version: textField('Newest version.', 100),
  released: Type.Optional(day('Day of its release.')),
})
export type Version = Static<typeof Version>

/** A registry of packages. */
type Registry = {
  /** The name of the registry in `packages` of a record. */
  registry: string
  /** True if a name is valid in this registry. The name becomes part of an address. */
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
function packageProbe(registry: Registry): Probe {
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

const NAME = /^(@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/i
const NAME_CHARS_MAX = 214

// The manifest of one version; a packument with all of them can have 20 MB.
const LATEST = shape(Type.Object({ version: Type.String({ minLength: 1, maxLength: 256 }) }))
const DOWNLOADS = shape(Type.Object({ downloads: Type.Integer({ minimum: 0 }) }))
const LATEST_BYTES_MAX = 512 * 1024

export function npmProbe({ npmRegistry, npmDownloads }: FactBases): Probe {
  return packageProbe({
    registry: 'npm',
    isName: (name) => name.length <= NAME_CHARS_MAX && NAME.test(name),
    async latest(outside, name) {
      const url = `${npmRegistry}/${name.replace('/', '%2f')}/latest`
      const reply = await readJsonAddress(outside, url, LATEST, { maxBytes: LATEST_BYTES_MAX })
      return reply.outcome === 'read' ? { version: oneLine(reply.value.version, 100) } : undefined
    },
    popularity: {
      field: 'npmWeekly',
      async weekly(outside, name) {
        const url = `${npmDownloads}/downloads/point/last-week/${name}`
        const reply = await readJsonAddress(outside, url, DOWNLOADS)
        if (reply.outcome === 'absent') return null
        return reply.outcome === 'read' ? reply.value.downloads : undefined
      },
    },
  })
}

const PYPI_NAME = /^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$/i
const RECENT = shape(
  Type.Object({ data: Type.Object({ last_week: Type.Integer({ minimum: 0 }) }) }),
)

// The feed of releases has the last forty. PyPI's robots.txt forbids its JSON to bots, which would
// also be megabytes for a large project.
const FEED_BYTES_MAX = 256 * 1024
const FEED_TYPES = new Set(['text/xml', 'application/xml', 'application/rss+xml'])
const ITEMS_MAX = 100
const ITEM_CHARS_MAX = 4_000

/** Versions from the feed of releases, downloads from pypistats. */
export function pypiProbe({ pypi, pypiStats }: FactBases): Probe {
  return packageProbe({
    registry: 'pypi',
    isName: (name) => PYPI_NAME.test(name),
    latest: (outside, name, now) =>
      newest(outside, `${pypi}/rss/project/${normalName(name)}/releases.xml`, now),
    popularity: {
      field: 'pypiWeekly',
      async weekly(outside, name) {
        const url = `${pypiStats}/api/packages/${normalName(name)}/recent`
        const reply = await readJsonAddress(outside, url, RECENT)
        if (reply.outcome === 'absent') return null
        return reply.outcome === 'read' ? reply.value.data.last_week : undefined
      },
    },
  })
}

/** As PEP 503 writes names. */
function normalName(name: string): string {
  return name.toLowerCase().replace(/[-_.]+/g, '-')
}

async function newest(
  outside: ProbeNetwork,
  url: string,
  now: number,
): Promise<Version | undefined> {
  const headers = { accept: 'application/rss+xml, text/xml' }
  const reply = await readAddress(outside, url, { headers, maxBytes: FEED_BYTES_MAX })
  if (reply.outcome !== 'answered' || reply.status !== 200 || reply.cut) return undefined
  if (!FEED_TYPES.has(mediaTypeOf(reply.headers))) return undefined
  const releases = releasesIn(textOf(reply), now)
  const final = releases.filter(({ version }) => FINAL.test(version))
  // The newest release may belong to an old line.
  return (final.length > 0 ? final : releases.slice(0, 1)).sort(highestFirst)[0]
}

/** Newest first, as in the feed. */
function releasesIn(feed: string, now: number): Version[] {
  return feed
    .split('<item>', ITEMS_MAX + 1)
    .slice(1)
    .flatMap((item) => {
      const text = item.slice(0, ITEM_CHARS_MAX)
      const version = oneLine(/<title>([^<]{1,200})<\/title>/.exec(text)?.[1] ?? '', 100)
      const time = Date.parse(/<pubDate>([^<]{1,64})<\/pubDate>/.exec(text)?.[1] ?? '')
      const released = Number.isNaN(time) ? undefined : pastDay(isoTime(time), now)
      return version ? [{ version, ...(released ? { released } : {}) }] : []
    })
}

// PEP 440 without a, b, rc and dev: what is installed by default.
const FINAL = /^v?(\d{1,9}!)?\d{1,9}(\.\d{1,9}){0,9}([.-]?post\d{1,9})?$/i

function highestFirst(a: Version, b: Version): number {
  const [one, other] = [numbersOf(a), numbersOf(b)]
  for (let i = 0; i < Math.max(one.length, other.length); i++) {
    const difference = (other[i] ?? 0) - (one[i] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

/** The epoch first, then the numbers of the release, padded so that `post` counts after them. */
function numbersOf({ version }: Version): number[] {
  const [, epoch = '0', rest = version, post = '0'] =
    /^v?(?:(\d+)!)?([\d.]+)(?:[.-]?post(\d+))?$/i.exec(version) ?? []
  const numbers = rest.split('.').map(Number)
  return [
    Number(epoch),
    ...numbers,
    ...Array(Math.max(0, 12 - numbers.length)).fill(0),
    Number(post),
  ]
}

// A module path begins with a domain; no element of it begins or ends with a dot.
const GO_NAME =
  /^(?=[^/]+\.)([A-Za-z0-9_~-]([A-Za-z0-9._~-]*[A-Za-z0-9_~-])?)(\/[A-Za-z0-9_~-]([A-Za-z0-9._~-]*[A-Za-z0-9_~-])?)*$/

const GO_LATEST = shape(
  Type.Object({
    Version: Type.String({ pattern: '^v\\d', maxLength: 256 }),
    Time: Type.Optional(Type.String({ maxLength: 64 })),
  }),
)

export function goProbe({ goProxy }: FactBases): Probe {
  return packageProbe({
    registry: 'go',
    isName: (name) => GO_NAME.test(name),
    async latest(outside, name, now) {
      const reply = await readJsonAddress(
        outside,
        `${goProxy}/${escapedPath(name)}/@latest`,
        GO_LATEST,
      )
      if (reply.outcome !== 'read') return undefined
      const { Version, Time } = reply.value
      const released = pastDay(Time, now)
      return { version: oneLine(Version, 100), ...(released ? { released } : {}) }
    },
  })
}

/** `github.com/BurntSushi/toml` → `github.com/!burnt!sushi/toml`: proxies fold no case. */
function escapedPath(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `!${letter.toLowerCase()}`)
}
