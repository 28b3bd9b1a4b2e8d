import { plainParagraphs } from './plain-text.ts'

// Summaries are read in lists; the schema would allow 500.
const MOST = 300

const ENDS = /[.!?…]+["'”’)\]]*(?=\s|$)|[。！？]+/gu
const ABBREVIATIONS = new Set([
  'e.g',
  'i.e',
  'etc',
  'vs',
  'cf',
  'inc',
  'ltd',
  'corp',
  'co',
  'no',
  'nr',
  'st',
  'dr',
  'mr',
  'mrs',
  'ms',
  'approx',
  'incl',
  'resp',
  'ca',
  'fig',
  'vol',
  'jr',
  'sr',
  'dept',
  'est',
])

/**
 * The first sentence of a text in Markdown or HTML: one line of at most `most` characters, cut
 * between words. Undefined if there is no text.
 */
export function oneSentence(value: unknown, most = MOST): string | undefined {
  if (typeof value !== 'string') return undefined
  const paragraph = plainParagraphs(value).find((it) => /\p{L}{2}|\p{Lo}/u.test(it))
  return paragraph === undefined ? undefined : finished(firstOf(paragraph), most)
}

function firstOf(text: string): string {
  for (const end of text.matchAll(ENDS)) {
    const after = text.slice(end.index + end[0].length)
    if (end[0].startsWith('.') && !isEnd(text.slice(0, end.index), after)) continue
    const sentence = text.slice(0, end.index + end[0].length)
    // "1." and "v2." are not sentences.
    if (/\p{L}{2}|\p{Lo}/u.test(sentence)) return sentence
  }
  return text
}

/** Whether a full stop ends a sentence: not after "e.g." or an initial, nor before a small letter. */
function isEnd(before: string, after: string): boolean {
  if (after.trim() === '') return true
  if (before.lastIndexOf('(') > before.lastIndexOf(')') && after.includes(')')) return false
  const word = /[^\s(["'“]*$/.exec(before)?.[0] ?? ''
  if (ABBREVIATIONS.has(word.toLowerCase()) || /^(\p{L}\.)*\p{L}$/u.test(word)) return false
  return !/^\s+\p{Ll}/u.test(after)
}

function finished(sentence: string, most: number): string {
  if (sentence.length > most) {
    const cut = sentence.slice(0, most - 1)
    const end = cut.lastIndexOf(' ')
    return cutOff(end > most / 2 ? cut.slice(0, end) : cut)
  }
  const bare = sentence.replace(/[\s,;:–—-]+$/u, '')
  if (/[.!?…。！？]["'”’)\]]*$/u.test(bare)) return bare
  return bare.length < most ? `${bare}.` : cutOff(bare.slice(0, most - 1))
}

/** Removes half a character or a stray mark before the ellipsis. */
function cutOff(text: string): string {
  return `${text.toWellFormed().replace(/[\s,;:–—\ufffd-]+$/u, '')}…`
}
