import { barsAsLetters, PUT_IN } from '../../../platform/redact/bar.ts'
import type { SecretSpan } from '../../../platform/redact/secret-span.ts'
import { parseShell, type SyntaxNode, TEXT_MAX, type WordNode, walkOwn } from './parse.ts'
import type { Span } from './reading.ts'
import { secretInputsOf } from './secret-input.ts'
import { quotedSecretsOf } from './secret-quotes.ts'
import { namesSecretProgram, secretWordsOf } from './secret-words.ts'
import { type ShellText, shellTextsOf, wordsOf } from './shell-texts.ts'

/** The words of a text of shell commands: no redaction goes from one into another. */
export type WordLimits = {
  /** Secrets by the place they have in a command. */
  secrets: SecretSpan[]
  /** The parts of what was found that stand in the word that it begins in. */
  within: ((secret: SecretSpan) => SecretSpan[]) | undefined
  /** The text without what a shell puts in; undefined: there is nothing. */
  masked: string | undefined
}

/** The words of a text. If it cannot be read as shell commands, its words have no limits. */
export function wordLimitsOf(text: string): WordLimits {
  const whole = barsAsLetters(text)
  const own = gatherFrom(whole, 0, 0)
  if (!own) return { secrets: secretsAt(roughly(whole)), within: undefined, masked: undefined }
  const parts = partsOf(own, text.length)
  const within = (secret: SecretSpan) => withinWord(secret, parts, text)
  // Commands in the word of a secret stay to be read.
  const masked = own.expansions.length > 0 ? maskedText(text, own.expansions) : undefined
  return { secrets: secretsAt(own.secrets).flatMap(within), within, masked }
}

function maskedText(text: string, expansions: readonly Span[]): string {
  let masked = ''
  for (const [from, to] of [...expansions].sort(([one], [other]) => one - other)) {
    if (to <= masked.length) continue
    masked += text.slice(masked.length, from)
    masked += PUT_IN.repeat(to - masked.length)
  }
  return masked + text.slice(masked.length)
}

const TOKEN = /"[^"\n]*"|'[^'\n]*'|[^\s;&|<>()"'`]+|[\n;&|()`]/g

/** The secrets of commands that cannot be read, by words as they look. */
function roughly(text: string): Span[] {
  if (text.length > TEXT_MAX) return []
  const spans: Span[] = []
  let words: WordNode[] = []
  for (const { 0: token, index } of [...text.matchAll(TOKEN), { 0: ';', index: text.length }]) {
    if (!/^[\n;&|()`]$/.test(token)) {
      const value = token.replace(/^(["'])(.*)\1$/, '$2')
      words.push({ type: 'Word', text: token, value, pos: index, end: index + token.length })
      continue
    }
    spans.push(...secretWordsOf(words, text))
    words = []
  }
  return spans
}

function secretsAt(spans: readonly Span[]): SecretSpan[] {
  const sorted = [...spans].sort(([one], [other]) => one - other)
  return apart(sorted.map(([from, to]) => ({ from, to, what: 'password' })))
}

type Gathered = { spans: Span[]; expansions: Span[]; secrets: Span[]; hasPrograms: boolean }

const DEPTH_MAX = 4

function gatherFrom(text: string, offset: number, depth: number): Gathered | undefined {
  const script = parseShell(text)
  if (!script) return undefined
  const hasPrograms = namesSecretProgram(text)
  const gathered: Gathered = { spans: [], expansions: [], secrets: [], hasPrograms }
  gatherOf(script, text, gathered, offset, depth)
  return gathered
}

function gatherOf(
  script: SyntaxNode,
  text: string,
  gathered: Gathered,
  offset: number,
  depth: number,
): void {
  const values = new Set<SyntaxNode>()
  walkOwn(script, (node) => {
    if (values.has(node)) return
    // A variable and its value are one word.
    if (node.type === 'Assignment' && node.value?.type === 'Word') values.add(node.value)
    const at: Span = [node.pos + offset, node.end + offset]
    if (SPANS.has(node.type) || EXPANSIONS.has(node.type)) gathered.spans.push(at)
    if (EXPANSIONS.has(node.type)) gathered.expansions.push(at)
    if (node.type === 'CommandExpansion' && node.text.startsWith('`')) {
      const source = text.slice(node.pos + 1, node.end - 1)
      if (node.script?.source !== source || depth >= DEPTH_MAX) return
      gatherOf(node.script, source, gathered, offset + node.pos + 1, depth + 1)
    }
    for (const [from, to] of [...secretInputsOf(node, text), ...quotedSecretsOf(node, text)]) {
      gathered.secrets.push([from + offset, to + offset])
    }
    for (const shellText of shellTextsOf(node, text)) addText(shellText, gathered, offset, depth)
    if (node.type === 'Command' && gathered.hasPrograms) {
      for (const [from, to] of secretWordsOf(wordsOf(node), text)) {
        gathered.secrets.push([from + offset, to + offset])
      }
    }
  })
}

const SPANS = new Set(['Word', 'Assignment', 'HereDocBody', 'ProcessSubstitution'])
const EXPANSIONS = new Set([
  'CommandExpansion',
  'SimpleExpansion',
  'ParameterExpansion',
  'ArithmeticExpansion',
])

function addText({ text, at }: ShellText, all: Gathered, offset: number, depth: number) {
  if (depth >= DEPTH_MAX || text === '') return
  const inside = gatherFrom(text, 0, depth + 1)
  const place = ([from, to]: Span): Span => [
    (at[from] ?? 0) + offset,
    (at[to - 1] ?? 0) + 1 + offset,
  ]
  if (!inside) {
    all.secrets.push(...roughly(text).map(place))
    return
  }
  // Text between the words of the inner command belongs to none of them.
  all.spans.push(place([0, text.length]), ...inside.spans.map(place))
  all.expansions.push(...inside.expansions.map(place))
  all.secrets.push(...inside.secrets.map(place))
}

/** Consecutive parts of a text, each with the innermost span that it is in; -1: in none. */
type Part = { from: number; to: number; of: number; expansionEnd: number | undefined }

function partsOf({ spans, expansions }: Gathered, length: number): Part[] {
  const put = new Set(expansions.map(String))
  const sorted = [...spans].sort((a, b) => a[0] - b[0] || b[1] - a[1])
  const parts: Part[] = []
  const open: { to: number; of: number }[] = [{ to: length, of: -1 }]
  let at = 0
  const goTo = (to: number) => {
    const of = open.at(-1)?.of ?? -1
    const span = sorted[of]
    const expansionEnd = put.has(String(span)) ? span?.[1] : undefined
    if (to > at) parts.push({ from: at, to, of, expansionEnd })
    at = Math.max(at, to)
  }
  const close = () => {
    goTo(open.at(-1)?.to ?? length)
    open.pop()
  }
  for (const [of, [from, to]] of sorted.entries()) {
    while (open.length > 1 && (open.at(-1)?.to ?? 0) <= from) close()
    goTo(from)
    open.push({ to: Math.min(to, open.at(-1)?.to ?? to), of })
  }
  while (open.length > 0) close()
  return parts
}

function withinWord(secret: SecretSpan, parts: readonly Part[], text: string): SecretSpan[] {
  const overlapping: Part[] = []
  for (let at = partAt(parts, secret.from); at < parts.length; at++) {
    const part = parts[at] as Part
    if (part.from >= secret.to) break
    overlapping.push({
      ...part,
      from: Math.max(part.from, secret.from),
      to: Math.min(part.to, secret.to),
    })
  }
  const first = firstOf(overlapping, secret)
  const isKey = secret.what === 'private key'
  return overlapping
    .filter(({ of, from, to }) => of === first?.of || (isKey && isBase64(text.slice(from, to))))
    .map(({ from, to }) => ({ ...secret, from, to }))
}

/** The first part, or the first behind the expansions that it begins with. */
function firstOf(parts: readonly Part[], { from, to }: SecretSpan): Part | undefined {
  let start = from
  for (const part of parts) {
    if (part.from < start) continue
    if (part.expansionEnd === undefined || part.expansionEnd >= to) return part
    start = part.expansionEnd
  }
  return parts[0]
}

/** A line of a key that stands without quotes, so that each is a word of its own. */
function isBase64(text: string): boolean {
  return /^[\w+/]{16,}=*$/.test(text) && /[a-z]/.test(text) && /[A-Z]/.test(text) && /\d/.test(text)
}

function partAt(parts: readonly Part[], place: number): number {
  let from = 0
  let to = parts.length
  while (from < to) {
    const middle = (from + to) >> 1
    if ((parts[middle]?.to ?? 0) <= place) from = middle + 1
    else to = middle
  }
  return from
}

function apart(secrets: readonly SecretSpan[]): SecretSpan[] {
  const result: SecretSpan[] = []
  for (const one of secrets) {
    const last = result.at(-1)
    if (last && one.from < last.to) last.to = Math.max(last.to, one.to)
    else result.push({ ...one })
  }
  return result
}
