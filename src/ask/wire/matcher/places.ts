/** Counts the comparisons of a match, which tests limit instead of time. */
export type Meter = { steps: number }

/**
 * Matches a pattern of signs against a row of symbols (the characters of a name, the names of a
 * path): each sign consumes one symbol that fits it, and in a state with a loop (`*`, `**`) any
 * symbol may be skipped. State n is behind n signs. All reachable states are followed at once, one
 * bit each, so that nothing is tried twice.
 */
export type Row<Symbol> = {
  size: number
  loops: Bits
  /** Returns the signs that a symbol fits; the result is valid until the next call. */
  fits(symbol: Symbol): Bits
  /** The states reached so far, and those among them that needed the last symbol. */
  places: Bits
  arrived: Bits
  meter: Meter
}

export type Bits = Uint32Array

export function bits(size: number): Bits {
  return new Uint32Array((size >>> 5) + 1)
}

export function setBit(row: Bits, at: number): void {
  row[at >>> 5] = ((row[at >>> 5] ?? 0) | (1 << (at & 31))) >>> 0
}

export function hasBit(row: Bits, at: number): boolean {
  return ((row[at >>> 5] ?? 0) & (1 << (at & 31))) !== 0
}

export function haveCommon(one: Bits, other: Bits): boolean {
  return one.some((word, at) => (word & (other[at] ?? 0)) !== 0)
}

export function emptyRow<Symbol>(
  size: number,
  fits: (symbol: Symbol) => Bits,
  meter: Meter,
): Row<Symbol> {
  return { size, loops: bits(size), fits, places: bits(size), arrived: bits(size), meter }
}

/** Back to the state before the first sign. */
export function begin(row: Row<never>): void {
  row.places.fill(0)
  row.arrived.fill(0)
  row.places[0] = 1
  row.arrived[0] = 1
}

/** Consumes one more symbol; false if no state can be reached any more. */
export function advance<Symbol>(row: Row<Symbol>, symbol: Symbol): boolean {
  const { places, arrived, loops } = row
  const fitting = row.fits(symbol)
  let carry = 0
  let any = 0
  for (let word = 0; word < places.length; word++) {
    const from = places[word] as number
    const matching = from & (fitting[word] as number)
    const behind = (matching << 1) | carry
    const next = behind | (from & (loops[word] as number))
    carry = matching >>> 31
    arrived[word] = behind
    places[word] = next
    any |= next
  }
  row.meter.steps += places.length
  return any !== 0
}
