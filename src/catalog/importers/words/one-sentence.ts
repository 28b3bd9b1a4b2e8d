import { decodeHtmlEntities } from '../../../platform/html-entities.ts'
import { cleanText, cutUnits } from '../../../platform/text.ts'

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

/** True if a full stop ends a sentence: not after "e.g." or an initial, nor before a small letter. */
function isEnd(before: string, after: string): boolean {
  if (after.trim() === '') return true
  if (before.lastIndexOf('(') > before.lastIndexOf(')') && after.includes(')')) return false
  const word = /[^\s(["'“]*$/.exec(before)?.[0] ?? ''
  if (ABBREVIATIONS.has(word.toLowerCase()) || /^(\p{L}\.)*\p{L}$/u.test(word)) return false
  return !/^\s+\p{Ll}/u.test(after)
}

function finished(sentence: string, most: number): string {
  if (sentence.length > most) {
    const cut = cutUnits(sentence, most - 1)
    const end = cut.lastIndexOf(' ')
    return cutOff(end > most / 2 ? cut.slice(0, end) : cut)
  }
  const bare = sentence.replace(/[\s,;:–—-]+$/u, '')
  if (/[.!?…。！？]["'”’)\]]*$/u.test(bare)) return bare
  return bare.length < most ? `${bare}.` : cutOff(cutUnits(bare, most - 1))
}

/** Removes a stray mark before the ellipsis. */
function cutOff(text: string): string {
  return `${text.replace(/[\s,;:–—-]+$/u, '')}…`
}

// The beginning is enough for a sentence, and keeps patterns fast.
const READ_MOST = 8000

const BLOCKS =
  /<\/?(?:p|br|hr|div|section|ul|ol|li|h[1-6]|table|tr|td|th|pre|blockquote)\b[^<>]*>/gi
// Invisible format characters; joiners stay, because several scripts and emoji need them.
const UNSEEN = /(?![\u200c\u200d])\p{Cf}|[\u{e0000}-\u{e0fff}]/gu

/**
 * The paragraphs of a text in Markdown or HTML without markup, each on one line. Headings come
 * last, for a text that has nothing else. Control, direction and invisible characters are removed.
 */
export function plainParagraphs(text: string): string[] {
  const [bodies, headings]: [string[], string[]] = [[], []]
  const source = cleanText(cutUnits(text, READ_MOST))
    .replace(/^(```|~~~)[\s\S]*?(^\1|$(?![\s\S]))/gm, '\n\n')
    .replace(/<!--[\s\S]*?(-->|$(?![\s\S]))/g, ' ')
    .replace(/<(script|style)\b[\s\S]*?(<\/\1>|$(?![\s\S]))/gi, ' ')
    .replace(/<(https?:[^<>\s]+)>/g, '$1')
    .replace(BLOCKS, '\n\n')
    .replace(/<\/?[a-z][^<>]*>/gi, '')
  let open: string[] = []
  const close = () => {
    bodies.push(inline(open.join(' ')))
    open = []
  }
  for (const line of source.split('\n')) {
    const bare = line.replace(/^[\s>]+/, '').trim()
    const heading = /^#{1,6}\s*(.*?)\s*#*$/.exec(bare)
    const underlined = /^(=+|-{2,})$/.test(bare) && open.length === 1
    const item = /^([-*+•]|\d{1,3}[.)])\s+/.exec(bare)
    if (underlined) {
      headings.push(inline(open.join(' ')))
      open = []
    } else if (heading) {
      close()
      headings.push(inline(heading[1] ?? ''))
    } else if (bare === '' || /^[-=_*|:\s]+$/.test(bare) || bare.startsWith('|')) close()
    else if (item) {
      close()
      open.push(bare.slice(item[0].length))
    } else open.push(bare)
  }
  close()
  return [...bodies, ...headings].filter((it) => it !== '')
}

function inline(text: string): string {
  const bare = text
    .replace(/!\[[^\][]*\](\([^()]*\)|\[[^\][]*\])/g, '')
    .replace(/\[([^\][]*)\](\([^()]*\)|\[[^\][]*\])/g, '$1')
    .replace(/(`+)([^`]*)\1/g, '$2')
    .replace(/(\*{1,3}|~~)(?=\S)([^*~]*?\S)\1/g, '$2')
    .replace(/(^|[\s(])(_{1,3})(?=\S)([^_]*?\S)\2(?=$|[\s).,;:!?])/g, '$1$3')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
  return cleanText(decodeHtmlEntities(bare)).replace(UNSEEN, '').replace(/\s+/g, ' ').trim()
}
