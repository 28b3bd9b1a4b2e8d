// What a stranger writes who has the served record and /api/v1/methodology.json, and no more.
export type Doc = { kind: string; breakdown: Row[]; catalog: Catalog }
type Row = { key: string; score: number | null; effectiveWeight: number }
type Catalog = {
  pending: string[]
  notApplicable?: string[]
  negatives: { points: number }[]
  gates: { code: string; cap: string }[]
}
export type Method = {
  methodology: {
    criteria: { key: string; weight: number; kinds?: string[] }[]
    bands: { grade: string; from: number }[]
    coverage: { graded: number; full: number; cap: string }
    negatives: { floor: number }
    gates: { code: string; cap: string }[]
  }
  rules: {
    effectiveWeights: { method: string; unit: number; sum: number; ties: string }
    score: { from: number; to: number; decimals: number; rounding: string }
    coverage: { gate: string }
    ranking: { by: string[]; without: string[] }
  }
}

export type Recomputed = {
  score: number | null
  grade: string | null
  weights: Record<string, number>
}

/** Score, grade and effective weights; nulls for a record that is not graded. */
export function recomputed({ kind, breakdown, catalog }: Doc, method: Method): Recomputed {
  const { methodology, rules } = method
  const weightOf = new Map(methodology.criteria.map(({ key, weight }) => [key, weight]))
  const applies = methodology.criteria.filter(
    ({ key, kinds }) =>
      (!kinds || kinds.includes(kind)) && !(catalog.notApplicable ?? []).includes(key),
  )
  const scored = breakdown.filter((row) => row.score !== null)
  const weight = scored.reduce((sum, { key }) => sum + (weightOf.get(key) ?? 0), 0)
  const all = applies.reduce((sum, { weight }) => sum + weight, 0)
  const { graded, full, cap } = methodology.coverage
  const weights = spread(
    applies.map(({ key, weight }) => ({ key, weight })),
    rules.effectiveWeights,
  )
  if (weight === 0 || weight * 100 < Math.round(graded * 100) * all) {
    return { score: null, grade: null, weights }
  }
  const points = scored.reduce((sum, { key, score }) => sum + (score ?? 0) * (weights[key] ?? 0), 0)
  const taken = catalog.negatives.reduce((sum, one) => sum + one.points, 0)
  const exact = points / 10 + Math.max(methodology.negatives.floor, taken)
  const score = rounded(Math.min(rules.score.to, Math.max(rules.score.from, exact)), rules.score)
  const names = methodology.bands.map(({ grade }) => grade)
  const band = methodology.bands.findIndex(({ from }) => score >= from)
  const caps = catalog.gates.map((gate) => capOf(gate, methodology))
  if (weight * 100 < Math.round(full * 100) * all) caps.push(cap)
  const place = Math.max(band, ...caps.map((one) => names.indexOf(one)))
  return { score, grade: names[place] ?? null, weights }
}

function capOf({ code }: { code: string }, { gates }: Method['methodology']): string {
  const gate = gates.find((one) => one.code === code)
  if (!gate) throw new Error(`the methodology does not say what ${code} is`)
  return gate.cap
}

function spread(
  scored: Array<{ key: string; weight: number }>,
  { method, unit, sum, ties }: Method['rules']['effectiveWeights'],
): Record<string, number> {
  if (method !== 'largest-remainder' || ties !== 'key-ascending') throw new Error('another rule')
  const units = Math.round(sum / unit)
  const weightSum = scored.reduce((total, { weight }) => total + weight, 0)
  const rows = scored.map(({ key, weight }) => ({
    key,
    units: Math.floor((weight * units) / weightSum),
    left: (weight * units) % weightSum,
  }))
  const spare = units - rows.reduce((total, row) => total + row.units, 0)
  const lucky = rows.toSorted((a, b) => b.left - a.left || (a.key < b.key ? -1 : 1)).slice(0, spare)
  for (const row of lucky) row.units += 1
  return Object.fromEntries(rows.map((row) => [row.key, row.units / Math.round(1 / unit)]))
}

function rounded(value: number, { decimals, rounding }: Method['rules']['score']): number {
  if (rounding !== 'half-up') throw new Error('another rule')
  // Points have three decimals; what floating point adds behind them is no part of them.
  const exact = Math.round(value * 1000)
  const step = 10 ** (3 - decimals)
  return Math.floor((exact + step / 2) / step) / 10 ** decimals
}
