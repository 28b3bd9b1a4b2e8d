/** A value in a JSON text, from its first character to the one after its last. */
export type Span = { from: number; to: number }

/** The members of an object, and the places of their values. `text` must be valid JSON. */
function* membersOf(text: string, object: Span): Generator<[name: string, value: Span]> {
  let at = skipSpace(text, object.from)
  if (text[at] !== '{') return
  at = skipSpace(text, at + 1)
  while (text[at] === '"') {
    const key = { from: at, to: endOfString(text, at) }
    const from = skipSpace(text, skipSpace(text, key.to) + 1)
    const value = { from, to: endOfValue(text, from) }
    yield [JSON.parse(part(text, key)), value]
    at = skipSpace(text, value.to)
    if (text[at] === ',') at = skipSpace(text, at + 1)
  }
}

/**
 * Returns the place of a member's value; of several members with one name the last, as `JSON.parse`
 * takes it. Undefined if there is none.
 */
function memberSpan(text: string, object: Span, name: string): Span | undefined {
  let place: Span | undefined
  for (const [key, value] of membersOf(text, object)) if (key === name) place = value
  return place
}

/** The place of the value at the end of `path`. */
export function spanAt(text: string, whole: Span, path: readonly string[]): Span | undefined {
  return path.reduce<Span | undefined>(
    (object, name) => object && memberSpan(text, object, name),
    whole,
  )
}

/** The places of the values of a list. */
export function elementSpans(text: string): Span[] {
  const spans: Span[] = []
  let at = skipSpace(text, skipSpace(text, 0) + 1)
  while (at < text.length && text[at] !== ']') {
    const span = { from: at, to: endOfValue(text, at) }
    spans.push(span)
    at = skipSpace(text, span.to)
    if (text[at] === ',') at = skipSpace(text, at + 1)
  }
  return spans
}

/** The text with another value at the end of `path`; everything else stays as it was. */
export function withValue(text: string, path: readonly string[], value: unknown): string {
  return withRaw(text, path, JSON.stringify(value))
}

/** As `withValue`, of a value that is JSON already. */
export function withRaw(text: string, path: readonly string[], raw: string): string {
  const span = spanAt(text, { from: 0, to: text.length }, path)
  return span ? text.slice(0, span.from) + raw + text.slice(span.to) : text
}

/** A member of the object at the end of `path`, as it is written; undefined if there is none. */
export function memberText(
  text: string,
  path: readonly string[],
  name: string,
): string | undefined {
  const span = spanAt(text, { from: 0, to: text.length }, [...path, name])
  return span && part(text, span)
}

/** The text with other members in the object at the end of `path`: JSON, or undefined for none. */
export function withMembers(
  text: string,
  path: readonly string[],
  changes: Readonly<Record<string, string | undefined>>,
): string {
  const object = spanAt(text, { from: 0, to: text.length }, path)
  if (!object) return text
  const others = [...membersOf(text, object)]
    .filter(([name]) => !Object.hasOwn(changes, name))
    .map(([name, value]) => [name, part(text, value)])
  const members = [...others, ...Object.entries(changes)]
    .filter(([, raw]) => raw !== undefined)
    .map(([name, raw]) => `${JSON.stringify(name)}:${raw}`)
  return `${text.slice(0, object.from)}{${members.join(',')}}${text.slice(object.to)}`
}

export function part(text: string, { from, to }: Span): string {
  return text.slice(from, to)
}

const SPACE = new Set([' ', '\t', '\n', '\r'])

function skipSpace(text: string, from: number): number {
  let at = from
  while (SPACE.has(text[at] ?? '')) at++
  return at
}

function endOfValue(text: string, from: number): number {
  const first = text[from]
  if (first === '"') return endOfString(text, from)
  if (first === '{' || first === '[') return endOfBrackets(text, from)
  let at = from
  while (at < text.length && !/[\s,\]}]/.test(text[at] ?? '')) at++
  return at
}

function endOfBrackets(text: string, from: number): number {
  let depth = 0
  let at = from
  while (at < text.length) {
    const character = text[at]
    if (character === '"') {
      at = endOfString(text, at)
      continue
    }
    if (character === '{' || character === '[') depth++
    if ((character === '}' || character === ']') && --depth === 0) return at + 1
    at++
  }
  return at
}

function endOfString(text: string, from: number): number {
  let end = from
  for (;;) {
    end = text.indexOf('"', end + 1)
    if (end < 0) return text.length
    let slashes = 0
    while (text[end - 1 - slashes] === '\\') slashes++
    if (slashes % 2 === 0) return end + 1
  }
}
