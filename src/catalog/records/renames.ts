import type { Tombstone } from './change.ts'

// Renames may form a circle.
const RENAMES_MAX = 16

/** Finds the current slug of a record from an old one. */
export function currentSlugs(
  removed: ReadonlyArray<Pick<Tombstone, 'slug' | 'renamedTo'>>,
): (slug: string) => string {
  const renamed = new Map(removed.map(({ slug, renamedTo }) => [slug, renamedTo]))
  return (slug) => {
    let today = slug
    for (let n = 0; n < RENAMES_MAX; n++) today = renamed.get(today) ?? today
    return today
  }
}

/** Every slug that a record had before, by its current slug. */
export function formerSlugs(
  removed: ReadonlyArray<Pick<Tombstone, 'slug' | 'renamedTo'>>,
): ReadonlyMap<string, string[]> {
  const today = currentSlugs(removed)
  const renamed = removed.filter(({ renamedTo }) => renamedTo !== undefined)
  const bySlug = Map.groupBy(renamed, ({ slug }) => today(slug))
  return new Map([...bySlug].map(([slug, all]) => [slug, all.map((one) => one.slug)]))
}

/** Finds the first slug that a record had. */
export function firstSlugs(
  removed: ReadonlyArray<Pick<Tombstone, 'slug' | 'renamedTo'>>,
): (slug: string) => string {
  const former = formerSlugs(removed)
  const later = new Set(removed.map(({ renamedTo }) => renamedTo))
  return (slug) =>
    former
      .get(slug)
      ?.toSorted()
      .find((one) => !later.has(one)) ?? slug
}
