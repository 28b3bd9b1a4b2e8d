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

/** A search: one of the words of each filter, and all words of the search. */
export type Wanted = {
  words: Iterable<readonly [filter: string, words: readonly string[]]>
  search: readonly string[]
}

/** The folded words of a record, by filter, and its folded text. */
export type Searched = { words: Readonly<Record<string, readonly string[]>>; text: string }

/** True if a record matches the query; the same on the server and in the browser. */
export function matches({ words: filters, search }: Wanted, { words, text }: Searched): boolean {
  for (const [name, choices] of filters) {
    const own = words[name] ?? []
    if (!choices.some((word) => own.includes(word))) return false
  }
  return search.every((word) => text.includes(word))
}
