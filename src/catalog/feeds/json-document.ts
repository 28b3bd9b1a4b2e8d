import type { BuiltDocument } from './built-site.ts'

export const JSON_TYPE = 'application/json'

/** A JSON document of the catalog; ends with a newline, for terminals. */
export function jsonDocument(path: string, value: unknown): BuiltDocument {
  return { path, type: JSON_TYPE, body: `${JSON.stringify(value)}\n` }
}

/** An object whose last field is an array of JSON texts. */
export function withArray(fields: object, name: string, elements: Iterable<string>): string {
  return [...arrayPieces(fields, name, elements)].join('')
}

/** The same in pieces, for arrays that are too large to be held as text. */
export function* arrayPieces(
  fields: object,
  name: string,
  elements: Iterable<string>,
): Generator<string> {
  const head = JSON.stringify(fields).slice(0, -1)
  const comma = head.length > 1 ? ',' : ''
  yield* inPieces(`${head}${comma}${JSON.stringify(name)}:[`, elements, ']}\n')
}

/** The same for an object as the last field; `members` are texts like `"name":1`. */
export function* objectPieces(
  fields: object,
  name: string,
  members: Iterable<string>,
): Generator<string> {
  const head = JSON.stringify(fields).slice(0, -1)
  yield* inPieces(`${head},${JSON.stringify(name)}:{`, members, '}}\n')
}

// Large enough for few steps, and made in less than a millisecond.
const PIECE_CHARS = 64 * 1024

function* inPieces(start: string, texts: Iterable<string>, end: string): Generator<string> {
  let piece = start
  let comma = ''
  for (const text of texts) {
    piece += comma + text
    comma = ','
    if (piece.length < PIECE_CHARS) continue
    yield piece
    piece = ''
  }
  yield piece + end
}
