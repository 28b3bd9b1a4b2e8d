/**
 * The value of one member of a JSON object, from text that may break off after it: what a service
 * says first can be read although the rest is too long. Undefined when it is not there whole.
 * Takes time in proportion to the text.
 */
export function leadingMember(text: string, name: string): unknown {
  let at = skipBlanks(text, 0)
  if (text[at] !== '{') return undefined
  at = skipBlanks(text, at + 1)
  while (text[at] === '"') {
    const keyEnd = endOfString(text, at)
    const key = parsed(text.slice(at, keyEnd))
    const colon = skipBlanks(text, keyEnd)
    if (text[colon] !== ':') return undefined
    const start = skipBlanks(text, colon + 1)
    const end = endOfValue(text, start)
    if (end === undefined) return undefined
    if (key === name) return parsed(text.slice(start, end))
    const comma = skipBlanks(text, end)
    if (text[comma] !== ',') return undefined
    at = skipBlanks(text, comma + 1)
  }
  return undefined
}

function skipBlanks(text: string, from: number): number {
  let at = from
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at++
  return at
}

/** Where a string that begins here is over; the end of the text when it is not. */
function endOfString(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return Math.min(at + 1, text.length)
}

function endOfValue(text: string, start: number): number | undefined {
  let depth = 0
  let at = start
  while (at < text.length) {
    const sign = text[at] as string
    if (sign === '"') {
      at = endOfString(text, at)
      if (depth === 0) return at
      continue
    }
    if (depth === 0 && at > start && /[,}\]\s]/.test(sign)) return at
    if (sign === '{' || sign === '[') depth++
    if ((sign === '}' || sign === ']') && --depth === 0) return at + 1
    at++
  }
  return undefined
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
