import { Glob } from 'bun'

const ROOT = new URL('../../', import.meta.url).pathname

/** A sentence of a page that has too many words, with its line. */
export type LongSentence = { page: string; line: number; words: number; text: string }

export const SENTENCE_WORDS_MAX = 25

/** The words of all pages below docs/, and the sentences in them that are too long. */
export async function measureDocs(): Promise<{ words: number; long: LongSentence[] }> {
  const paths = [...new Glob('docs/**/*.md').scanSync(ROOT)].sort()
  let words = 0
  const long: LongSentence[] = []
  for (const page of paths) {
    const text = await Bun.file(ROOT + page).text()
    words += wordsIn(text)
    long.push(...longSentences(text).map((one) => ({ page, ...one })))
  }
  return { words, long }
}

/** Whatever has a letter or a digit: the bars and lines of a table are no words. */
export function wordsIn(text: string): number {
  return text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length
}

/** Code is one word, and of a link its text counts. Each cell of a table stands for itself. */
export function longSentences(text: string): Omit<LongSentence, 'page'>[] {
  return paragraphs(text).flatMap(({ line, prose }) =>
    prose
      .replace(/`[^`]*`/g, 'code')
      .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
      .split(/(?<=[.!?])["”)*_]*\s+|\n/)
      .map((sentence) => ({ line, words: wordsIn(sentence), text: sentence.trim() }))
      .filter(({ words }) => words > SENTENCE_WORDS_MAX),
  )
}

type Paragraph = { line: number; prose: string }

/** Paragraphs, items of lists and cells of tables, each on one line, without blocks of code. */
function paragraphs(text: string): Paragraph[] {
  const all: Paragraph[] = []
  let isCode = false
  let open: Paragraph | undefined
  for (const [i, row] of text.split('\n').entries()) {
    const trimmed = row.trim()
    if (trimmed.startsWith('```')) isCode = !isCode
    if (isCode || trimmed === '' || trimmed.startsWith('```') || trimmed.startsWith('#')) {
      open = undefined
    } else if (trimmed.startsWith('|')) {
      const cells = trimmed.split(/(?<!\\)\|/).map((cell) => cell.trim())
      all.push(...cells.map((prose) => ({ line: i + 1, prose })))
      open = undefined
    } else if (open && !/^([-*+]|\d+\.) /.test(trimmed)) {
      open.prose += ` ${trimmed}`
    } else {
      open = { line: i + 1, prose: trimmed.replace(/^([-*+]|\d+\.) /, '') }
      all.push(open)
    }
  }
  return all
}
