/** Text, with the position of each of its UTF-16 units in the original. */
export type Source = { text: string; at: readonly number[] }

/** A part of a text: from the first unit up to, but not including, the last. */
export type Span = readonly [from: number, to: number]

/**
 * `text` in its compatibility form: wide and styled letters become the letters that they look like.
 */
export function sourceOf(text: string): Source {
  const chars: string[] = []
  const at: number[] = []
  let place = 0
  for (const point of text) {
    const plain = point > '\x7f' ? point.normalize('NFKC') : point
    for (let unit = 0; unit < plain.length; unit++) {
      chars.push(plain[unit] as string)
      at.push(place)
    }
    place += point.length
  }
  return { text: chars.join(''), at }
}

/** Where a part of a source is in the original. */
export function spanIn({ at }: Source, from: number, to: number): Span {
  const first = at[from] ?? 0
  return [first, (at[to - 1] ?? first) + 1]
}

/** Collects text with its positions. */
export class DraftRow {
  private readonly chars: string[] = []
  private readonly at: number[] = []

  get isEmpty(): boolean {
    return this.chars.length === 0
  }

  add(text: string, place: number): void {
    for (const unit of text) {
      for (let i = 0; i < unit.length; i++) this.at.push(place)
      this.chars.push(unit)
    }
  }

  take(): Source {
    return { text: this.chars.join(''), at: [...this.at] }
  }
}
