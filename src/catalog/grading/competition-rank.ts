/** A record that may be ranked; `band` is the place of its grade among the bands, 0 the highest. */
export type RankedRecord = { slug: string; category: string; band: number; score: number }

export type Ranks = { rank: number; categoryRank: number }

/**
 * Competition ranks by grade after gates, then by score: equals share a place, and the next place
 * counts them all (1, 2, 2, 4); overall, and within the category.
 */
export function competitionRanks(records: readonly RankedRecord[]): Map<string, Ranks> {
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

function placesOf(records: readonly RankedRecord[]): Map<string, number> {
  const sorted = records.toSorted((a, b) => a.band - b.band || b.score - a.score)
  const first = new Map<string, number>()
  sorted.forEach((record, i) => {
    if (!first.has(standingOf(record))) first.set(standingOf(record), i + 1)
  })
  return new Map(records.map((record) => [record.slug, first.get(standingOf(record)) ?? 0]))
}

function standingOf({ band, score }: RankedRecord): string {
  return `${band} ${score}`
}
