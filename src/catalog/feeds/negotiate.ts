/** The content codings. */
export type Coding = 'identity' | 'gzip' | 'br' | 'zstd'

// The order of preference if a client accepts several equally: smallest first.
const PREFERENCE: readonly Coding[] = ['br', 'zstd', 'gzip', 'identity']

/**
 * The coding for an `Accept-Encoding` header (RFC 9110, 12.5.3); undefined when the client takes
 * none that we have. `among` is what there is, best first.
 */
export function chooseCoding(
  header: string | null,
  among: readonly Coding[] = PREFERENCE,
): Coding | undefined {
  if (header === null) return 'identity'
  if (among !== PREFERENCE) return chosen(header, among)
  const cached = KNOWN.get(header)
  if (cached) return cached
  const coding = chosen(header, among)
  if (coding && KNOWN.size < KNOWN_MAX) KNOWN.set(header, coding)
  return coding
}

// Clients send the same few headers over and over.
const KNOWN = new Map<string, Coding>()
const KNOWN_MAX = 200

function chosen(header: string, among: readonly Coding[]): Coding | undefined {
  const weights = readWeights(header)
  let best: Coding | undefined
  let bestWeight = 0
  for (const coding of among) {
    const weight = weightOf(coding, weights)
    if (weight > bestWeight) {
      best = coding
      bestWeight = weight
    }
  }
  return best
}

function weightOf(coding: Coding, weights: ReadonlyMap<string, number>): number {
  const own = weights.get(coding)
  if (own !== undefined) return own
  const others = weights.get('*')
  if (coding !== 'identity') return others ?? 0
  // Identity is acceptable unless it is refused, but a client that names a coding prefers that.
  return others === 0 ? 0 : LEAST
}

// Below every possible weight (three digits after the point).
const LEAST = 0.0001
const WEIGHT = /^\s*q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*$/i

function readWeights(header: string): Map<string, number> {
  const weights = new Map<string, number>()
  for (const part of header.split(',')) {
    const [name = '', ...parameters] = part.split(';')
    const coding = name
      .trim()
      .toLowerCase()
      .replace(/^x-gzip$/, 'gzip')
    if (coding === '') continue
    const q = parameters.map((parameter) => WEIGHT.exec(parameter)?.[1]).find(Boolean)
    weights.set(coding, q === undefined ? 1 : Number(q))
  }
  return weights
}
