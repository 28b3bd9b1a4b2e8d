import { cleanLine } from '../../../platform/text.ts'
import { isDay } from '../../records/words.ts'
import { isObject, scalarText } from '../fields.ts'
import type { ImportedChange } from '../importer.ts'
import { slugFrom } from '../slug-from.ts'

type Product = { title: string; url: string; after: string }
type Tell = (field: string, expected: string, found: unknown) => void

// How a date of a cycle is told. `true` and `false` say nothing of when.
const ENDS = [
  { field: 'eol', key: 'end-of-life', kind: 'notice', what: 'reaches the end of its life' },
  { field: 'discontinued', key: 'discontinued', kind: 'shutdown', what: 'is discontinued' },
] as const

/** The ends of release cycles from a day on, one change each. */
export function changesOf(
  releases: readonly unknown[],
  { title, url, after }: Product,
  tell: Tell,
): ImportedChange[] {
  return releases.flatMap((release, i) => {
    if (!isObject(release)) {
      tell(`releases[${i}]`, 'a mapping', release)
      return []
    }
    const cycle = scalarText(release.releaseCycle)
    const slug = slugFrom(cycle, 40)
    if (!slug) {
      tell(`releases[${i}].releaseCycle`, 'a name', release.releaseCycle)
      return []
    }
    return ENDS.flatMap(({ field, key, kind, what }) => {
      const date = release[field]
      if (date === undefined || date === null || typeof date === 'boolean') return []
      if (typeof date !== 'string' || !isDay(date)) {
        tell(`releases[${i}].${field}`, 'a day, true or false', date)
        return []
      }
      if (date < after) return []
      const name = nameOf(title, cycle, release.releaseLabel)
      return [{ key: `${slug}-${key}`, date, kind, what: `${name} ${what}.`, source: url }]
    })
  })
}

/**
 * The changelog of the newest release: the release's own link, else the product's template with the
 * release put in. Undefined where the template needs more than that.
 */
export function changelogOf(product: Record<string, unknown>): string | undefined {
  const newest = Array.isArray(product.releases) ? product.releases.find(isObject) : undefined
  const own = scalarText(newest?.link)
  const template = own || scalarText(product.changelogTemplate)
  const values: Record<string, string> = {
    __LATEST__: scalarText(newest?.latest),
    __RELEASE_CYCLE__: scalarText(newest?.releaseCycle),
    __RELEASE_DATE__: scalarText(newest?.releaseDate),
    __LATEST_RELEASE_DATE__: scalarText(newest?.latestReleaseDate),
  }
  const filled = template
    .trim()
    .replace(/\{\{\s*(["'])(__[A-Z_]+__)\1\s*\}\}/g, '$2')
    .replace(/__(?:LATEST_RELEASE_DATE|RELEASE_DATE|RELEASE_CYCLE|LATEST)__/g, (word) =>
      encodeURIComponent(values[word] || '{'),
    )
  if (!/^https:\/\/[^\s{}]+$/.test(filled) || /%7B|__CODENAME__/.test(filled)) return undefined
  return URL.canParse(filled) ? filled : undefined
}

function nameOf(title: string, cycle: string, label: unknown): string {
  const said = typeof label === 'string' ? label : cycle
  const plain = cleanLine(
    said.replaceAll('__RELEASE_CYCLE__', cycle).replaceAll('__CODENAME__', ''),
  )
  return cleanLine(`${title} ${plain}`.replace(/<[^>]*>/g, '')).slice(0, 300)
}
