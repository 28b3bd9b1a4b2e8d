/** A record to rank; `band` is the position of its grade, 0 for the highest. */
export type RankedRecord = { slug: string; category: string; band: number; score: number }

export type Ranks = { rank: number; categoryRank: number }

/**
 * Competition ranks by grade after gates, then by score, overall and within the category. Equal
 * records share a rank, and the next rank counts all of them (1, 2, 2, 4).
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
