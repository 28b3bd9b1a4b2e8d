/** A group or a person, and what people write for it. */
export type Nameable = { id: string; name: string; email?: string }

export function wordOf({ name, email }: Nameable): string {
  return email ?? name
}

/** The same text with the names of ids. */
export function withNames(text: string, names: readonly Nameable[]): string {
  const byId = new Map(names.map((one) => [one.id, wordOf(one)]))
  return text.replaceAll(/[^\s,]+/g, (word) => byId.get(word) ?? word)
}

/** The id of whom a word stands for, as people write it. */
export function idOf(word: string, names: readonly Nameable[]): string | undefined {
  const is = (text: string) => text.toLowerCase() === word.toLowerCase()
  return names.find((one) => one.id === word || is(wordOf(one)))?.id
}

/** What is said of a word that stands for nobody. */
export function nobodyIs(word: string): string {
  return `There is no group or person ${word} here.`
}
