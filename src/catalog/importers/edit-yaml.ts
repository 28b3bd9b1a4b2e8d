import { type Document, isMap, isScalar, type Pair, parseDocument } from 'yaml'
import { parseYaml } from '../../platform/yaml/parse-yaml.ts'

const STYLE = { lineWidth: 0 } as const

/** `undefined` removes the field. */
type Edit = { field: string; value: unknown }

/**
 * Sets top-level fields of a YAML mapping and leaves the rest of the text unchanged: an old value
 * is replaced in place, a new field goes before `sources`. If the result would not be right, the
 * library writes the whole text, comments kept.
 */
export function setFields(text: string, edits: readonly Edit[]): string {
  const windows = text.includes('\r\n')
  let plain = windows ? text.replaceAll('\r\n', '\n') : text
  for (const edit of edits) plain = setField(plain, edit)
  return windows ? plain.replaceAll('\n', '\r\n') : plain
}

function setField(text: string, { field, value }: Edit): string {
  const document = parse(text)
  const map = document.contents
  if (isMap(map) && !map.flow) {
    const pair = map.items.find(({ key }) => isScalar(key) && key.value === field)
    const block = value === undefined ? undefined : rendered(field, value)
    const edited =
      block === undefined
        ? without(text, pair)
        : pair
          ? replaced(text, pair, block)
          : inserted(text, document, block)
    if (edited !== undefined && isSame(edited, text, { field, value })) return edited
  }
  if (value === undefined) document.delete(field)
  else document.set(field, document.createNode(value))
  return document.toString(STYLE)
}

/** The text without a field and its line. */
function without(text: string, pair: Pair | undefined): string | undefined {
  if (!pair) return text
  const [start, end] = placeOf(pair)
  if (start === undefined || end === undefined) return undefined
  const next = text[end - 1] === '\n' ? end : text.indexOf('\n', end) + 1
  return next === 0 ? text.slice(0, start) : text.slice(0, start) + text.slice(next)
}

function parse(text: string): Document {
  return parseDocument(text, { version: '1.2', schema: 'core', logLevel: 'error' })
}

function rendered(field: string, value: unknown): string {
  const alone = parse('{}')
  alone.contents = null
  alone.set(field, alone.createNode(value))
  return alone.toString(STYLE).trimEnd()
}

function replaced(text: string, pair: Pair, block: string): string | undefined {
  const [start, end] = placeOf(pair)
  if (start === undefined || end === undefined) return undefined
  const lineEnd = text[end - 1] === '\n' ? '\n' : ''
  return text.slice(0, start) + block + lineEnd + text.slice(end)
}

function inserted(text: string, document: Document, block: string): string | undefined {
  const pairs = isMap(document.contents) ? document.contents.items : []
  const before = pairs.findIndex(({ key }) => isScalar(key) && key.value === 'sources')
  const last = pairs.at(before < 0 ? -1 : before - 1)
  if (!last || before === 0) return undefined
  const [, end] = placeOf(last)
  if (end === undefined) return undefined
  const next = text[end - 1] === '\n' ? end : text.indexOf('\n', end) + 1
  if (next === 0) return `${text}\n${block}\n`
  return `${text.slice(0, next)}${block}\n${text.slice(next)}`
}

function placeOf({ key, value }: Pair): [number | undefined, number | undefined] {
  const range = (node: unknown) => (node as { range?: [number, number, number] } | null)?.range
  return [range(key)?.[0], range(value)?.[1]]
}

function isSame(text: string, before: string, { field, value }: Edit): boolean {
  const [old, now] = [parseYaml('', before), parseYaml('', text)]
  if (Array.isArray(old) || Array.isArray(now)) return false
  const { [field]: _, ...rest } = old.value as Record<string, unknown>
  const expected = value === undefined ? rest : { ...rest, [field]: value }
  return Bun.deepEquals(now.value, expected)
}
