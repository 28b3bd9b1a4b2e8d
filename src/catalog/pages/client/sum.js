// The arithmetic of the grade, as the server does it: whole numbers all the way.

/**
 * @typedef {{ key: string, weight: number, score: number }} Scored
 * @typedef {{ key: string, basisPoints: number, parts: number }} Row
 */

/**
 * Spreads 10,000 basis points by weight; the largest remainders get what is left over, of equal
 * ones the key that comes first.
 * @param {Scored[]} scored
 * @returns {Row[]}
 */
export function spread(scored) {
  const total = scored.reduce((sum, { weight }) => sum + weight, 0)
  const shares = scored.map(({ key, weight }) => {
    const remainder = total ? (weight * 10_000) % total : 0
    return { key, points: total ? (weight * 10_000 - remainder) / total : 0, remainder }
  })
  const left = total ? 10_000 - shares.reduce((sum, { points }) => sum + points, 0) : 0
  const order = [...shares].sort((a, b) => b.remainder - a.remainder || (a.key < b.key ? -1 : 1))
  const lucky = new Set(order.slice(0, left).map(({ key }) => key))
  return shares.map(({ key, points }, i) => {
    const basisPoints = lucky.has(key) ? points + 1 : points
    return { key, basisPoints, parts: basisPoints * (scored[i]?.score ?? 0) }
  })
}

/**
 * The score in tenths, 0 to 1000, half up.
 * @param {Row[]} rows
 * @param {number} negative at most zero
 */
export function tenths(rows, negative) {
  const parts = rows.reduce((sum, row) => sum + row.parts, negative * 1000)
  return Math.floor((Math.min(Math.max(parts, 0), 100_000) + 50) / 100)
}
