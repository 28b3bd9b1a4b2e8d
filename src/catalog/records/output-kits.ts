import type { ComponentChildren, FunctionComponent } from 'preact'

/** How Markdown is written. Text is escaped. */
export type MarkdownKit = {
  /** `- **Label:** text`, or nothing for an empty text; `text` is Markdown already. */
  fact(label: string, text: string | undefined): string[]
  text(text: string): string
  /** Words of the record in one line. */
  words(texts: readonly string[]): string
  code(text: string): string
  address(url: string): string
}

/** The components and words of the pages. */
export type PageKit = {
  /** A label and its value; nothing without a value. */
  Fact: FunctionComponent<{ name: string; children?: ComponentChildren }>
  /** A link to somewhere else; plain text where a browser must not follow it. */
  Out: FunctionComponent<{ to: string | undefined; children: ComponentChildren }>
  Day: FunctionComponent<{ day: string }>
  /** Words, each with a link to the tools that have it. */
  Words: FunctionComponent<{ filter: 'capability' | 'tag'; words: readonly string[] }>
  number(value: number): string
  /** Such as `12K`. */
  shortNumber(value: number): string
  dayWords(day: string): string
  /** A word of the record, such as `npm`, as people write it. */
  wordFor(word: string): string
  /** The price in a few words. */
  priceOf(tool: { pricing: string; priceSummary: string }): string
}
