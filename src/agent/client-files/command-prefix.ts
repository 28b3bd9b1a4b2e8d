import type { Node } from 'jsonc-parser'
import { BrokenFile, lineAt } from './broken-file.ts'
import { type JsonPath, nodeAt, readTree } from './json-document.ts'
import { removeJson, setJson } from './json-edit.ts'

/** The words that start a server: its command and arguments, in the form of any client. */
export function startWords(entry: unknown): string[] | undefined {
  const { command, args } = (entry ?? {}) as { command?: unknown; args?: unknown }
  const words = Array.isArray(command) ? command : [command, ...(Array.isArray(args) ? args : [])]
  return words.every((word) => typeof word === 'string') ? words : undefined
}

/** A gate before a server: its name there, its hold in seconds, and how many words it has. */
export type Gate = { name: string; holdS: number; count: number }

/** The gate that an entry is started with; undefined without one. */
export function gateOf(entry: unknown): Gate | undefined {
  const words = startWords(entry) ?? []
  const at = words.indexOf('gate')
  const [name, option, hold, end] = words.slice(at + 1)
  if (at < 1 || option !== '--hold' || end !== '--' || name === undefined) return undefined
  return { name, holdS: Number(hold), count: at + 5 }
}

/**
 * The text with words before the command of the server at `path`. The bytes of the command move, so
 * that `takePrefix` can put them back. A list of arguments that was created begins with a blank.
 */
export function putPrefix(text: string, path: JsonPath, words: readonly string[]): string {
  const command = mustBeThere(text, [...path, 'command'])
  const [first = '', ...more] = words.map((word) => JSON.stringify(word))
  if (command.type === 'array') return withFirst(text, command, [first, ...more])
  const raw = text.slice(command.offset, command.offset + command.length)
  const list = nodeAt(text, readTree(text), [...path, 'args'])
  if (list && list.type !== 'array')
    throw new BrokenFile(`"args" in line ${lineAt(text, list.offset)} is not a list`)
  const withArguments = list
    ? withFirst(text, list, [...more, raw])
    : withNewList(text, [...path, 'args'], [...more, raw])
  return splice(withArguments, mustBeThere(withArguments, [...path, 'command']), first)
}

/** The text without the first `count` words of the server at `path`. */
export function takePrefix(text: string, path: JsonPath, count: number): string {
  const command = mustBeThere(text, [...path, 'command'])
  if (command.type === 'array') return withoutFirst(text, command, count)
  const list = mustBeThere(text, [...path, 'args'])
  const own = list.children?.[count - 1]
  if (own?.type !== 'string')
    throw new BrokenFile(`the command of "${path.at(-1)}" is missing from its arguments`)
  const raw = text.slice(own.offset, own.offset + own.length)
  const isCreated = list.children?.length === count && text[list.offset + 1] === ' '
  const rest = isCreated ? removeJson(text, [...path, 'args']) : withoutFirst(text, list, count)
  return splice(rest, mustBeThere(rest, [...path, 'command']), raw)
}

function withNewList(text: string, path: JsonPath, raws: readonly string[]): string {
  const withList = setJson(text, path, [])
  return splice(withList, mustBeThere(withList, path), `[ ${raws.join(', ')} ]`)
}

function withFirst(text: string, list: Node, raws: readonly string[]): string {
  const { offset, children = [] } = list
  const at = children[0]?.offset ?? offset + 1
  return text.slice(0, at) + raws.join(', ') + (children.length > 0 ? ', ' : '') + text.slice(at)
}

function withoutFirst(text: string, { children = [] }: Node, count: number): string {
  const [first, last, next] = [children[0], children[count - 1], children[count]]
  if (!first || !last) return text
  return text.slice(0, first.offset) + text.slice(next?.offset ?? last.offset + last.length)
}

function splice(text: string, { offset, length }: Node, raw: string): string {
  return text.slice(0, offset) + raw + text.slice(offset + length)
}

function mustBeThere(text: string, path: JsonPath): Node {
  const node = nodeAt(text, readTree(text), path)
  if (!node) throw new BrokenFile(`"${path.join('.')}" is missing`)
  return node
}
