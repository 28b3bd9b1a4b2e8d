import { sha256 } from '../../platform/signing/sha256.ts'

const SLUG_MAX = 64

/**
 * Makes a slug of any name: lower case without diacritics, everything else a hyphen, cut at a
 * hyphen to 64 characters. Empty if nothing is left.
 */
export function slugFrom(name: string, most = SLUG_MAX): string {
  const slug = name
    .slice(0, 1000)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
  if (slug.length <= most) return slug
  const cut = slug.slice(0, most + 1)
  const end = cut.lastIndexOf('-')
  return (end > most / 2 ? cut.slice(0, end) : cut.slice(0, most)).replace(/-+$/, '')
}

/**
 * The first free one of: the slug itself, with the vendor appended, with 2, 3, … appended to that.
 * The same order gives the same slugs.
 */
export function freeSlug(name: string, vendor: string, isTaken: (slug: string) => boolean) {
  if (!isTaken(name)) return name
  const base = name.endsWith(`-${vendor}`) ? name : joined(name, vendor)
  for (let n = 1; ; n++) {
    const slug = n === 1 ? base : joined(base, String(n))
    if (!isTaken(slug)) return slug
  }
}

/** `wanted-behind`, of at most 64. */
function joined(name: string, behind: string): string {
  const tail = slugFrom(behind, SLUG_MAX / 2)
  return `${slugFrom(name, SLUG_MAX - tail.length - 1)}-${tail}`
}

/** `SLUG-KEY`; where that is too long it is cut, and a hash keeps it different from others. */
export function changeId(slug: string, key: string): string {
  const whole = `${slug}-${key}`
  if (whole.length <= SLUG_MAX) return whole
  const hash = sha256(whole).slice(0, 8)
  return `${slugFrom(whole, SLUG_MAX - 9)}-${hash}`
}
