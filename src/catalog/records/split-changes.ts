type Dated = { readonly id: string; readonly date: string }

/**
 * Past changes, newest first, and coming ones, soonest first; those of one day by id. `today` is a
 * day like `2026-11-21`.
 */
export function splitChanges<T extends Dated>(
  changes: readonly T[],
  today: string,
): { recent: T[]; upcoming: T[] } {
  const recent = changes.filter((change) => change.date <= today)
  const upcoming = changes.filter((change) => change.date > today)
  return {
    recent: recent.sort((a, b) => order(b.date, a.date) || order(a.id, b.id)),
    upcoming: upcoming.sort((a, b) => order(a.date, b.date) || order(a.id, b.id)),
  }
}

/** By code units: the same on every machine, whatever its language. */
function order(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
