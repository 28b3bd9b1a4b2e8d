import { isAlias, isMap, isScalar, isSeq, type Node, parseDocument } from 'yaml'
import { describe, shortenValue } from './value-words.ts'

/** Why a text cannot be read. */
export type YamlProblem = {
  /** That of the parser, or of what is refused here, such as `ALIAS`. */
  code: string
  file: string
  /** From 1; 0 for the text as a whole. */
  line: number
  column?: number
  field: string
  expected: string
  found: string
}

/** A file as plain values. */
export type ParsedFile = {
  file: string
  value: unknown
  /** Where each value begins, by JSON pointer; found on demand. */
  lines(): ReadonlyMap<string, Place>
}

/** Line and column, both from 1. */
export type Place = { line: number; column: number }

// Records nest four deep.
const DEPTH_MAX = 24
const ERRORS_MAX = 20

type Walk = {
  file: string
  text: string
  /** Where each value begins, by pointer; only if lines are wanted. */
  places: Map<string, number> | undefined
  problems: YamlProblem[]
}

/**
 * Reads one YAML document of mappings, lists and plain values. Anchors, aliases, merge keys and
 * tags are refused, since a short text can expand without bound. Never throws.
 */
export function parseYaml(file: string, text: string): ParsedFile | YamlProblem[] {
  const walk: Walk = { file, text, places: undefined, problems: [] }
  try {
    const document = documentIn(text)
    if (document.errors.some(({ message }) => TOO_DEEP.test(message))) return [tooDeep(file)]
    for (const { pos, code, message } of document.errors.slice(0, ERRORS_MAX)) {
      const expected = EXPECTED[code] ?? 'YAML that can be read'
      report(walk, code, { offset: pos[0], field: '', expected, what: sayError(message) })
    }
    if (walk.problems.length > 0) return walk.problems
    const value = plainValue(walk, document.contents, '', 0)
    return walk.problems.length > 0 ? walk.problems : { file, value, lines: linesIn(text) }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return [tooDeep(file)]
  }
}

function documentIn(text: string) {
  return parseDocument(text, {
    prettyErrors: false,
    uniqueKeys: false,
    merge: false,
    version: '1.2',
    schema: 'core',
    logLevel: 'error',
    keepSourceTokens: false,
  })
}

/** Parses a valid text again to find the line of each value. */
function linesIn(text: string): ParsedFile['lines'] {
  let lines: Map<string, Place> | undefined
  return () => {
    if (lines) return lines
    const places = new Map<string, number>()
    plainValue({ file: '', text, places, problems: [] }, documentIn(text).contents, '', 0)
    const positions = [...places].map(
      ([pointer, place]) => [pointer, placeAt(text, place)] as const,
    )
    lines = new Map([['', { line: 1, column: 1 }], ...positions])
    return lines
  }
}

function placeAt(text: string, offset: number): Place {
  const before = text.slice(0, offset)
  const lineStart = before.lastIndexOf('\n') + 1
  // Columns count characters, as editors do.
  return { line: before.split('\n').length, column: [...before.slice(lineStart)].length + 1 }
}

// The library reports this as an error of the document.
const TOO_DEEP = /^Maximum call stack/

function tooDeep(file: string): YamlProblem {
  const what = 'more levels than can be read'
  return { code: 'DEEP', file, line: 1, field: '', expected: SHALLOW, found: what }
}

const SHALLOW = `at most ${DEPTH_MAX} levels of nesting`

const EXPECTED: Record<string, string> = {
  MULTIPLE_DOCS: 'one document in a file',
  TAB_AS_INDENT: 'spaces before a name, not tabs',
  BLOCK_AS_IMPLICIT_KEY: 'quotes around text in which a colon is followed by a space',
  BAD_INDENT: 'names of one mapping in the same column',
}

function sayError(message: string): string {
  return shortenValue(message.split('\n')[0] ?? '', 120)
}

type Refused = { offset: number; field: string; expected: string; what: string }

function report(walk: Walk, code: string, { offset, field, expected, what }: Refused) {
  if (walk.problems.length >= ERRORS_MAX) return
  const place = placeAt(walk.text, offset)
  walk.problems.push({ code, file: walk.file, ...place, field, expected, found: what })
}

function plainValue(walk: Walk, node: Node | null, pointer: string, depth: number): unknown {
  if (!node) return null
  const start = node.range?.[0] ?? 0
  const refuse = (code: string, expected: string, what: string) =>
    report(walk, code, { offset: start, field: fieldOf(pointer), expected, what })
  if (depth > DEPTH_MAX) return refuse('DEEP', SHALLOW, 'another level')
  if (isAlias(node)) {
    return refuse('ALIAS', 'the value itself', `an alias, *${shortenValue(node.source)}`)
  }
  if (node.anchor)
    return refuse('ANCHOR', 'a value without anchor', `&${shortenValue(node.anchor)}`)
  if (node.tag) return refuse('TAG', 'a value without tag', shortenValue(node.tag))
  if (isMap(node)) return mappingOf(walk, node.items as Entry[], pointer, depth)
  if (isSeq(node)) {
    return node.items.map((item, i) => {
      const path = `${pointer}/${i}`
      walk.places?.set(path, (item as Node).range?.[0] ?? start)
      return plainValue(walk, item as Node, path, depth + 1)
    })
  }
  return isScalar(node) ? node.value : null
}

type Entry = { key: Node | null; value: Node | null }

function mappingOf(walk: Walk, entries: Entry[], pointer: string, depth: number) {
  const object: Record<string, unknown> = {}
  for (const { key, value } of entries) {
    const start = key?.range?.[0] ?? value?.range?.[0] ?? 0
    if (!isScalar(key) || key.anchor || key.tag || key.value === null) {
      const expected = 'a name before the colon'
      const what = 'something else'
      report(walk, 'NO_NAME', { offset: start, field: fieldOf(pointer), expected, what })
      continue
    }
    const name = typeof key.value === 'string' ? key.value : String(key.source)
    const path = `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
    const refuse = (code: string, expected: string, what: string) =>
      report(walk, code, { offset: start, field: shortenValue(fieldOf(path)), expected, what })
    if (name === '<<') refuse('MERGE_KEY', 'each field written out', 'a merge key')
    else if (name === '__proto__') refuse('UNKNOWN', 'a known field', describe(name))
    else if (Object.hasOwn(object, name)) refuse('TWICE', 'the field once', 'it again')
    else {
      walk.places?.set(path, start)
      object[name] = plainValue(walk, value, path, depth + 1)
    }
  }
  return object
}

/** `/unitPrices/0/usd` → `unitPrices[0].usd` */
export function fieldOf(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((name, part) => {
      if (/^\d+$/.test(part)) return `${name}[${part}]`
      return name ? `${name}.${part}` : part
    }, '')
}

/** Where a value begins, or its nearest parent that is there. */
export function placeOfValue(parsed: ParsedFile, pointer: string): Place {
  const lines = parsed.lines()
  let path = pointer
  while (path && !lines.has(path)) path = path.slice(0, path.lastIndexOf('/'))
  return lines.get(path) ?? { line: 1, column: 1 }
}
