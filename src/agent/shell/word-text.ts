import { homedir } from 'node:os'

// Quoted text is moved out of the way, so that everything left has its meaning for the shell.
const SHIFT = 0xe000
/** Placeholder in a word for what is unknown until the command runs. */
export const HOLE = '\uE080'
/** Stand for `$PWD` and `$HOME` until it is known where the command runs. */
export const HERE = '\uE081'
export const HOME = '\uE082'
/**
 * Around the name of a variable until its value is looked up; the second one marks a quoted
 * variable.
 */
export const OPEN = '\uE083'
export const OPEN_QUOTED = '\uE084'
const CLOSE = '\uE085'
/** Characters that a command may not contain itself. */
export const RESERVED = /[\uE000-\uE086]/g
/** Why a word with `*`, `?` or `[…]` is not known. */
export const PATTERN = 'a pattern'
const BRACES_MAX = 64

/** Literal text: no pattern, no braces, no home folder. */
export function quote(text: string): string {
  return text.replace(/[*?[\]{},~]/g, (char) => String.fromCharCode(SHIFT + char.charCodeAt(0)))
}

/** A variable in a word, for `fill`. */
export function variable(name: string, inQuotes: boolean): string {
  return `${inQuotes ? OPEN_QUOTED : OPEN}${name}${CLOSE}`
}

const VARIABLE = /([\uE083\uE084])(\w*)\uE085/g

/**
 * The word with its variables replaced by their values; several words if a value is split. `why`
 * names a variable that is not known; a placeholder stands for it.
 */
export function fill(
  raw: string,
  lookUp: (name: string) => string | undefined,
): { raws: string[]; why?: string } {
  if (!raw.includes(CLOSE)) return { raws: [raw] }
  let why: string | undefined
  let vanishes = false
  const text = raw.replace(VARIABLE, (_, open: string, name: string) => {
    const value = lookUp(name)
    if (value === undefined) why ??= name.startsWith('0') ? 'an expansion' : `$${name}`
    else if (open === OPEN && /^\s*$/.test(value)) vanishes = true
    if (value === undefined) return HOLE
    return open === OPEN ? split(value) : quote(value)
  })
  if (text === '' && vanishes) return { raws: [] }
  return { raws: text.split(SPLIT), ...(why === undefined ? {} : { why }) }
}

const SPLIT = '\uE086'

/** After braces and the home folder: the only special meaning left is that of a pattern. */
function split(value: string): string {
  const parts = value.trim().split(/\s+/)
  return parts.map((part) => part.replace(/[{},~]/g, quote)).join(SPLIT)
}

/** The word with `$PWD` and `$HOME` replaced; `place` is undefined if they are not known. */
export function resolveWord(raw: string, place: string | undefined): string {
  const from = (path: string, at: number) =>
    path.startsWith('~') && at === 0 ? `~${quote(path.slice(1))}` : quote(path)
  return raw.replace(/[\uE081\uE082](?=(\/|$)?)/g, (mark, ends: string | undefined, at: number) => {
    if (place === undefined) return HOLE
    if (mark === HOME) return at === 0 && ends !== undefined ? '~' : quote(homedir())
    return place.startsWith('~') && at > 0 ? HOLE : from(place, at)
  })
}

/** The text of a word without its quotes. */
export function withoutQuotes(raw: string): string {
  return raw.replace(/[\uE000-\uE07F]/g, (char) => String.fromCharCode(char.charCodeAt(0) - SHIFT))
}

/** Why the shell would turn the word into something else; undefined if it is literal. */
export function unknownIn(raw: string): string | undefined {
  if (/[\uE080-\uE082]/.test(raw)) return 'an expansion'
  const open = raw.indexOf('[')
  if (/[*?]/.test(raw) || (open >= 0 && raw.lastIndexOf(']') > open)) return PATTERN
  if (/^~[^/]/.test(raw)) return 'a home folder'
  return undefined
}

/** The certain part of a word: the text before the first unknown. */
export function head(raw: string): string {
  return withoutQuotes(/^[^\uE080*?[]*/.exec(raw)?.[0] ?? '')
}

/**
 * What an unknown word may name anyway: `$x/infra/a` ends in `infra/a`, and a pattern may be the
 * very rule that a person wrote.
 */
export function tails(raw: string): string[] {
  const [, ...rest] = raw.split(HOLE)
  if (rest.length === 0) return [withoutQuotes(raw)]
  const ends = rest
    .filter((end) => /^\/+./.test(end))
    .map((end) => withoutQuotes(end).replace(/^\/+/, ''))
  const mounted = ends.map((end) => end.replace(/:.*$/s, ''))
  return [...ends, ...mounted, withoutQuotes(raw.replaceAll(HOLE, 'x'))]
}

/** `a{b,c}` → `ab`, `ac`. Undefined for more than 64 words, and for `{1..9}`. */
export function expandWordBraces(raw: string): string[] | undefined {
  const done: string[] = []
  const todo = [raw]
  for (let steps = 0; todo.length > 0; steps++) {
    if (steps > BRACES_MAX || todo.length + done.length > BRACES_MAX) return undefined
    const word = todo.pop() as string
    const group = firstGroup(word)
    if (group === 'range') return undefined
    if (group === undefined) done.push(word)
    else for (const part of group.parts.reverse()) todo.push(`${group.before}${part}${group.after}`)
  }
  return done
}

function firstGroup(word: string) {
  const opens: { at: number; commas: number[] }[] = []
  let found: { at: number; commas: number[]; end: number } | undefined
  for (let at = 0; at < word.length; at++) {
    const char = word[at]
    if (char === '{') opens.push({ at, commas: [] })
    else if (char === ',') opens.at(-1)?.commas.push(at)
    else if (char === '}') {
      const open = opens.pop()
      if (!open) continue
      if (open.commas.length > 0) found = { ...open, end: at }
      else if (word.slice(open.at, at).includes('..')) return 'range'
    }
  }
  if (!found) return undefined
  const edges = [found.at, ...found.commas, found.end]
  const parts = found.commas.map((_, one) => word.slice((edges[one] ?? 0) + 1, edges[one + 1]))
  parts.push(word.slice((edges[found.commas.length] ?? 0) + 1, found.end))
  return { before: word.slice(0, found.at), parts, after: word.slice(found.end + 1) }
}
