/** A record that may be ranked. */
export type Ranked = { slug: string; category: string; score: number }

export type Place = { rank: number; categoryRank: number }

/**
 * Competition ranks by score: equal scores share a place, and the next place counts them all
 * (1, 2, 2, 4); overall, and within the category (design: Grading, 6).
 */
export function competitionRanks(records: readonly Ranked[]): Map<string, Place> {
  const overall = placesOf(records)
  const within = [...Map.groupBy(records, ({ category }) => category).values()].map(placesOf)
  const byCategory = new Map(within.flatMap((places) => [...places]))
  return new Map(
    records.map(({ slug }) => [
      slug,
      { rank: overall.get(slug) ?? 0, categoryRank: byCategory.get(slug) ?? 0 },
    ]),
  )
}

function placesOf(records: readonly Ranked[]): Map<string, number> {
  const sorted = records.toSorted((a, b) => b.score - a.score)
  const first = new Map<number, number>()
  sorted.forEach(({ score }, i) => {
    if (!first.has(score)) first.set(score, i + 1)
  })
  return new Map(records.map(({ slug, score }) => [slug, first.get(score) ?? 0]))
}
