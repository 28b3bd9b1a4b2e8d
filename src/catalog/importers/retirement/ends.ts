import { sha256 } from '../../../platform/signing/sha256.ts'
import { cleanLine, cutText } from '../../../platform/text.ts'
import { isDay } from '../../records/words.ts'
import { isObject, scalarText } from '../fields.ts'
import type { ImportedChange } from '../importer.ts'
import { slugFrom } from '../slug-from.ts'

type ProductPage = { title: string; url: string; after: string }
type Tell = (field: string, expected: string, actual: unknown) => void

/** The ends of one release cycle, and that of the model of its name. */
export type CycleEnds = { cycle: string; changes: ImportedChange[]; end?: ImportedChange }

// How a date of a cycle is described. `true` and `false` are not dates. A cycle is a part of the
// product, so its end is a notice: the product goes on.
const ENDS = [
  { field: 'eol', key: 'end-of-life', what: 'reaches the end of its life' },
  { field: 'discontinued', key: 'discontinued', what: 'is discontinued' },
] as const

/** The ends of release cycles from a day on: one change for each date. */
export function endsOf(
  releases: readonly unknown[],
  { title, url, after }: ProductPage,
  tell: Tell,
): CycleEnds[] {
  const keys = cycleKeys(releases)
  return releases.flatMap((release, i) => {
    if (!isObject(release)) {
      tell(`releases[${i}]`, 'a mapping', release)
      return []
    }
    const cycle = scalarText(release.releaseCycle)
    const slug = keys.get(cycle)
    if (!slug) {
      tell(`releases[${i}].releaseCycle`, 'a name', release.releaseCycle)
      return []
    }
    const name = nameOf(title, cycle, release.releaseLabel)
    const changes = ENDS.flatMap(({ field, key, what }) => {
      const date = release[field]
      if (date === undefined || date === null || typeof date === 'boolean') return []
      if (typeof date !== 'string' || !isDay(date)) {
        tell(`releases[${i}].${field}`, 'a day, true or false', date)
        return []
      }
      if (date < after) return []
      return [
        {
          key: `${slug}-${key}`,
          date,
          kind: 'notice' as const,
          endsPart: cutText(name, 200),
          what: `${name} ${what}.`,
          source: url,
        },
      ]
    })
    const instead = replacementOf(release.recommendedReplacement)
    const end =
      typeof release.eol === 'string' && isDay(release.eol)
        ? { ...modelEnd(modelName(release.releaseLabel, cycle), release.eol, url), ...instead }
        : undefined
    return [
      {
        cycle,
        changes: changes.map((it) => ({ ...it, ...instead })),
        ...(end ? { end } : {}),
      },
    ]
  })
}

function modelName(label: unknown, cycle: string): string {
  return cutText(cleanLine(scalarText(label)), 200) || cycle
}

/** A model is a record of its own: its end is that of the whole, and stays worth knowing. */
function modelEnd(name: string, date: string, source: string): ImportedChange {
  const what = `${name} reaches the end of its life.`
  return { key: 'end-of-life', date, kind: 'shutdown', what, source }
}

function replacementOf(value: unknown): { replacement?: string } {
  const replacement = cutText(cleanLine(scalarText(value)), 200)
  return replacement === '' || /^(n\/?a|none|-)$/i.test(replacement) ? {} : { replacement }
}

const KEY_MAX = 40

/**
 * A different key for each cycle of a product: `1.30` and `s26+` become `1-30` and `s26-plus`.
 * Where that would name two cycles alike or cut a name, a hash of the cycle follows.
 */
function cycleKeys(releases: readonly unknown[]): Map<string, string> {
  const cycles = releases.map((it) => (isObject(it) ? scalarText(it.releaseCycle) : ''))
  const unique = [...new Set(cycles)].filter((cycle) => cycle !== '')
  const plain = Map.groupBy(unique, plainKey)
  return new Map(
    unique.map((cycle) => {
      const key = plainKey(cycle)
      const isAlone = plain.get(key)?.length === 1 && key !== '' && key.length <= KEY_MAX
      return [cycle, isAlone ? key : `${slugFrom(key, KEY_MAX - 9) || 'cycle'}-${hashOf(cycle)}`]
    }),
  )
}

function plainKey(cycle: string): string {
  return slugFrom(cycle.replaceAll('+', '-plus-'), 200)
}

function hashOf(text: string): string {
  return sha256(text).slice(0, 8)
}

function nameOf(title: string, cycle: string, label: unknown): string {
  const name = typeof label === 'string' ? label : cycle
  const plain = cleanLine(
    name.replaceAll('__RELEASE_CYCLE__', cycle).replaceAll('__CODENAME__', ''),
  )
  const bare = cleanLine(plain.replace(/<[^>]*>/g, '').replace(/\(\s*\)/g, ''))
  // Some labels have the name of the product in front already.
  const fullName = bare.toLowerCase().startsWith(title.toLowerCase()) ? bare : `${title} ${bare}`
  return cutText(cleanLine(fullName), 300)
}
