import type { QuestionDetail } from '../../questions/model/question.ts'
import type { Colour } from './colours.ts'

/** The parts of a command, each by what it begins with; the last takes any single character. */
const PARTS = new RegExp(
  [
    /(?<rem>(?<![^\s;&|()])#[^\n]*)/,
    /(?<str>\$?'(?:[^'\\]|\\[\s\S])*'|"(?:[^"\\]|\\[\s\S])*")/,
    /(?<num>\$(?:\w+|[@*#?$!-]))/,
    /(?<flag>(?<=\s)--?[A-Za-z][\w-]*)/,
    /(?<ends>[\n;&|(]+|\b(?:if|then|elif|else|while|until|do|time)(?=\s))/,
    /(?<set>\w+=)/,
    /(?<word>(?:[^\s;&|()<>"'\\$#=]|(?<=\w)#)+)/,
    /\\[\s\S]|\s+|[\s\S]/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
)

// Here the shell runs part of a word, or reads a heredoc.
const NESTED = /\$\(|\$\{|`|<<|[<>]\(|\\'/

/**
 * What to colour in a shell command: programs, flags, variables, and, where they are certain, strings
 * and comments. A person must never take for text what the shell runs: in a command with `$(…)` or
 * the like, or with a quote that is not closed, nothing looks like a string or a comment.
 */
export function shellColours(text: string): Colour[] {
  const found: Colour[] = []
  let isCertain = !NESTED.test(text)
  let mayRun = true
  let isValue = false
  for (const { index: from, 0: part, groups = {} } of read(text).matchAll(PARTS)) {
    const { rem, str, num, flag, ends, set, word } = groups
    const colour = (is: Colour['is']) => found.push({ from, to: from + part.length, is })
    if (part === '"' || part === "'") isCertain = false
    if (rem) colour('rem')
    else if (str) colour('str')
    else if (num || flag) colour('num')
    else if ((word || ends) && mayRun && !isValue && /\w/.test(part)) colour('key')
    const isBlank = part.trim() === ''
    if (ends) mayRun = true
    else if (!set && !rem && !isBlank && !isValue) mayRun = false
    isValue = set !== undefined || (isValue && !isBlank && !ends)
  }
  return isCertain ? found : found.filter(({ is }) => is === 'key' || is === 'num')
}

/**
 * As `shellColours`, for a command that was joined into one line. Where its lines and comments
 * ended is not known, so there are no comments. If it was cut, there are no strings either, because
 * it is not known where they begin.
 */
export function shellLineColours(line: string): Colour[] {
  const isCut = line.includes('…')
  return shellColours(line).filter(({ is }) => is !== 'rem' && !(isCut && is === 'str'))
}

/** Whether a question is about a shell command, rather than a tool and what it is given. */
export function isCommand({ toolName, action }: QuestionDetail): boolean {
  return toolName === undefined || action?.startsWith(`${toolName} `) !== true
}

/** The command without its heredoc. */
function read(text: string): string {
  const fed = text.indexOf('<<')
  const end = fed < 0 ? -1 : text.indexOf('\n', fed)
  return end < 0 ? text : text.slice(0, end)
}
