const UNITS: ReadonlyArray<[unit: string, ms: number]> = [
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
]

/**
 * A time that somebody set, in full, in a form that `readDuration` accepts: `45 s`, `1 min`, `1 min
 * 30 s`, `1.5 s`, `2 h`.
 */
export function durationWords(ms: number): string {
  let remaining = ms
  const parts: string[] = []
  for (const [unit, length] of UNITS) {
    const many = unit === 's' ? remaining / length : Math.floor(remaining / length)
    if (many > 0) parts.push(`${many} ${unit}`)
    remaining -= many * length
  }
  return parts.join(' ') || '0 s'
}

const PART = /^(\d+(?:[.,]\d+)?) *(ms|s|secs?|seconds?|m|mins?|minutes?|h|hours?)?(?: +|$|(?=\d))/i

const LENGTHS: Record<string, number> = { h: 3_600_000, m: 60_000, s: 1_000 }

/**
 * A time that a person typed, in milliseconds: `45 s`, `1 min 30 s`, `2m`, `500 ms`. A number alone
 * is in seconds. NaN for anything else.
 */
export function readDuration(text: string): number {
  let rest = text.trim()
  let sum = rest === '' ? Number.NaN : 0
  const isAlone = /^[\d.,]+$/.test(rest)
  while (rest !== '') {
    const [part, number = '', unit] = PART.exec(rest) ?? []
    if (part === undefined || (unit === undefined && !isAlone)) return Number.NaN
    sum += Number(number.replace(',', '.')) * lengthOf(unit)
    rest = rest.slice(part.length)
  }
  return Math.round(sum)
}

function lengthOf(unit = 's'): number {
  const word = unit.toLowerCase()
  return word === 'ms' ? 1 : (LENGTHS[word.charAt(0)] ?? Number.NaN)
}
