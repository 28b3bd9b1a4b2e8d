import { ALPHABETS, FORMATS } from './formats.ts'
import type { SecretSpan } from './secret-span.ts'

type Shape = {
  prefix: string
  rest: RegExp
  what: string
  /** A character before the prefix that makes it the middle of something else. */
  inside: RegExp
  /** How much of the beginning stays visible. */
  visible: number
}

const PIECE = /([a-z])(\d+)(=?)|./g
// A piece with something behind it; bounds the work on text that only begins like a key.
const PIECE_MAX = 2_000
const START_LENGTH = 2
const SHAPES = new Map<string, Shape[]>()
for (const [prefixes, rest, what] of FORMATS) {
  for (const prefix of prefixes.split(' ').flatMap(spellings)) {
    const visible = /[/=]$/.test(prefix) ? prefix.length : 0
    const shape = {
      prefix,
      rest: restOf(rest),
      what,
      inside: insideOf(prefix, rest),
      visible,
    }
    const start = prefix.slice(0, START_LENGTH)
    SHAPES.set(start, [...(SHAPES.get(start) ?? []), shape])
  }
}
// `sk-ant-` is tried before `sk-`.
for (const shapes of SHAPES.values()) shapes.sort((a, b) => b.prefix.length - a.prefix.length)

/**
 * The keys in a text by their form. Each is only looked for where a run of its own characters
 * begins, so that the work on hostile text stays linear.
 */
export function findKeys(text: string): SecretSpan[] {
  const keys: SecretSpan[] = []
  const starts = /(?<![A-Za-z0-9])[A-Za-z0-9]/g
  for (let start = starts.exec(text); start; start = starts.exec(text)) {
    const key = keyAt(text, start.index)
    if (!key) continue
    keys.push(key)
    starts.lastIndex = key.to
  }
  return keys
}

function keyAt(text: string, at: number): SecretSpan | undefined {
  const start = text.slice(at, at + START_LENGTH)
  return firstOf(SHAPES.get(start), text, at) ?? firstOf(SHAPES.get(start.slice(0, 1)), text, at)
}

// Another key may follow directly, and would no longer be recognised.
const TAIL = /[\w-]*/y

function firstOf(shapes: readonly Shape[] = [], text: string, at: number): SecretSpan | undefined {
  const before = text.charAt(at - 1)
  for (const { prefix, rest, what, inside, visible } of shapes) {
    if (!text.startsWith(prefix, at) || inside.test(before)) continue
    rest.lastIndex = at + prefix.length
    if (!rest.test(text)) continue
    TAIL.lastIndex = rest.lastIndex
    TAIL.test(text)
    return { from: at + visible, to: TAIL.lastIndex, what }
  }
  return undefined
}

/** `gh[pu]_` → ghp_, ghu_. */
function spellings(prefix: string): string[] {
  const [, before = '', letters, after = ''] = /^([^[]*)\[(\w+)\](.*)$/.exec(prefix) ?? []
  return letters === undefined ? [prefix] : [...letters].map((one) => before + one + after)
}

function restOf(rest: string): RegExp {
  const sources = rest.split('+').map((one) => {
    const source = one.replace(PIECE, (piece, letter, count, exact, at) => {
      if (letter === undefined) return piece.replace(/\W/, '\\$&')
      const most = at + piece.length === one.length ? '' : PIECE_MAX
      const times = exact === '=' ? `{${count}}(?![A-Za-z0-9])` : `{${count},${most}}`
      return `[${ALPHABETS[letter]}]${times}`
    })
    return source
  })
  return new RegExp(`(?:${sources.join('|')})`, 'y')
}

function insideOf(prefix: string, rest: string): RegExp {
  const letters = rest.replace(/[^a-z]/g, '')
  const hasHyphen = /[bgpsw]/.test(letters) || prefix.endsWith('-')
  const hasUnderscore = /[bgpsw]/.test(letters) || prefix.includes('_')
  return new RegExp(`[A-Za-z0-9${hasUnderscore ? '_' : ''}${hasHyphen ? '-' : ''}]`)
}
