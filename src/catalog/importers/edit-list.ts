import {
  Document,
  isMap,
  isSeq,
  type Node,
  type ParsedNode,
  parseDocument,
  type YAMLSeq,
} from 'yaml'
import { parseYaml } from '../../platform/yaml/parse-yaml.ts'
import { isObject } from './fields.ts'

const STYLE = { lineWidth: 0 } as const

type Edit = {
  /** A top-level list; it is added if it is missing. */
  field: string
  item: Record<string, unknown>
  /** Keys whose value is written on one line. */
  flow?: readonly string[]
  /** The item to replace; without it the new one is appended. */
  at?: number
}

/** Adds or replaces one item of a list, and leaves the rest of the text unchanged. */
export function setItem(text: string, edit: Edit): string {
  const windows = text.includes('\r\n')
  const plain = windows ? text.replaceAll('\r\n', '\n') : text
  const edited = spliced(plain, edit)
  const done = edited !== undefined && isSame(edited, plain, edit) ? edited : rewritten(plain, edit)
  return windows ? done.replaceAll('\n', '\r\n') : done
}

function spliced(text: string, edit: Edit): string | undefined {
  const list = parse(text).get(edit.field)
  if (!isSeq(list)) return list === undefined ? behindAll(text, edit) : undefined
  const [first] = list.items as ParsedNode[]
  if (list.flow || !first) return undefined
  if (edit.at !== undefined) return inPlace(text, edit, list.items[edit.at] as ParsedNode)
  const dash = text.lastIndexOf('-', first.range[0])
  const indent = dash - (text.lastIndexOf('\n', dash) + 1)
  const end = (list as YAMLSeq & { range: [number, number, number] }).range[1]
  const next = text[end - 1] === '\n' ? end : text.indexOf('\n', end) + 1
  const lines = indented(itemText(edit), indent)
  return next === 0 ? `${text}\n${lines}` : text.slice(0, next) + lines + text.slice(next)
}

function behindAll(text: string, edit: Edit): string | undefined {
  const { contents } = parse(text)
  if (!isMap(contents) || contents.flow) return undefined
  const line = text.endsWith('\n') ? '' : '\n'
  return `${text}${line}${edit.field}:\n${indented(itemText(edit), 2)}`
}

function inPlace(text: string, edit: Edit, node: ParsedNode | undefined): string | undefined {
  if (!isMap(node) || node.flow) return undefined
  const [start, end] = node.range as [number, number, number]
  const column = start - (text.lastIndexOf('\n', start - 1) + 1)
  const lines = indented(itemText(edit), column - 2).slice(column)
  return text.slice(0, start) + (text[end - 1] === '\n' ? lines : lines.trimEnd()) + text.slice(end)
}

/** `- url: …` with the rest below it. */
function itemText({ item, flow = [] }: Edit): string {
  const document = new Document([item])
  for (const key of flow) {
    const node = document.getIn([0, key])
    if (isMap(node)) node.flow = true
  }
  return document.toString(STYLE)
}

function indented(block: string, by: number): string {
  return block.replace(/^(?=.)/gm, ' '.repeat(by))
}

/** For texts that cannot be edited in place: the library writes the whole file, comments kept. */
function rewritten(text: string, { field, item, at }: Edit): string {
  const document = parse(text)
  const node = document.createNode(item) as Node
  const list = document.get(field)
  if (!isSeq(list)) document.set(field, document.createNode([item]))
  else if (at === undefined) list.add(node)
  else list.items[at] = node
  return document.toString(STYLE)
}

function parse(text: string) {
  return parseDocument(text, { version: '1.2', schema: 'core', logLevel: 'error' })
}

function isSame(text: string, before: string, { field, item, at }: Edit): boolean {
  const [old, now] = [valuesOf(before), valuesOf(text)]
  if (!old || !now) return false
  const list = Array.isArray(old[field]) ? [...old[field]] : []
  if (at === undefined) list.push(item)
  else list[at] = item
  return Bun.deepEquals(now, { ...old, [field]: list })
}

function valuesOf(text: string): Record<string, unknown> | undefined {
  const parsed = parseYaml('', text)
  return !Array.isArray(parsed) && isObject(parsed.value) ? parsed.value : undefined
}
