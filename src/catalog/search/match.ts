/** Removes case and diacritics, so that "cafe" finds "Café". */
export function foldText(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
}

/** The folded words of a search. */
export function searchWords(text: string): string[] {
  return foldText(text).split(/\s+/).filter(Boolean)
}

/** The folded words that are asked for, by filter. */
export type Wanted = Iterable<readonly [filter: string, words: readonly string[]]>

/** The folded words of a record, by filter. */
export type FilterWords = Readonly<Record<string, readonly string[]>>

/** True if a record has one of the words of each filter; the same on the server and in the browser. */
export function matches(filters: Wanted, words: FilterWords): boolean {
  for (const [name, choices] of filters) {
    const own = words[name] ?? []
    if (!choices.some((word) => own.includes(word))) return false
  }
  return true
}
