import type { Node } from 'jsonc-parser'
import { BrokenFile, lineAt } from './broken-file.ts'
import { dataOf, type JsonPath, nodeAt, readTree } from './json-document.ts'
import { setJson } from './json-edit.ts'

/**
 * The MCP servers of a client that are started in the jail: their command is `starter`, a file of ours, and what it
 * was before is the first of its arguments.
 */
export type JailedServers = {
  /** The list of servers in the file. */
  at: JsonPath
  /** The name of the one that is Beckon itself. */
  own: string
  starter: string
  /** Names of servers that come into the jail, and of those that leave it. */
  add: readonly string[]
  drop: readonly string[]
}

/** A server of a client: started in the jail or outside of it by the client, or running elsewhere. */
export type ServerHere = { name: string; is: 'in_the_jail' | 'outside' | 'elsewhere' }

/** Returns true if a command is a starter of ours, of this or of an earlier setup. */
export function isServerStarter(command: unknown): boolean {
  return typeof command === 'string' && /[/\\]beckon[/\\]serve-[a-z]+$/.test(command)
}

/** How a server's entry is started, in the form of any client. */
export function placeOfServer(entry: unknown): ServerHere['is'] {
  const { command } = (entry ?? {}) as { command?: unknown }
  const first = Array.isArray(command) ? command[0] : command
  if (typeof first !== 'string') return 'elsewhere'
  return isServerStarter(first) ? 'in_the_jail' : 'outside'
}

/** The servers of a JSON file but for our own; one name may stand in several projects. */
export function serversInJson(text: string, { at, own }: JailedServers): ServerHere[] {
  return entriesIn(text, at)
    .filter(({ name }) => name !== own)
    .map(({ name, node }) => ({ name, is: placeOfServer(dataOf(node)) }))
}

/**
 * The text with these servers in the jail, and those out of it; `made` are lists that were created for that.
 * Throws `BrokenFile`.
 */
export function jailInJson(before: string, servers: JailedServers) {
  const { at, own, starter, add, drop } = servers
  const paths: JsonPath[] = []
  let text = before
  for (const { name, path } of entriesIn(before, at)) {
    if (name === own) continue
    if (drop.includes(name)) text = moveOutOfJail(text, path)
    const is = placeOfServer(dataAt(text, path))
    if (is === 'in_the_jail') text = withStarter(text, path, starter)
    if (is !== 'outside' || !add.includes(name)) continue
    if (nodeAt(text, readTree(text), [...path, 'command'])?.type === 'string') {
      const list = [...path, 'args']
      if (!nodeAt(text, readTree(text), list)) paths.push(list)
    }
    text = moveIntoJail(text, path, starter)
  }
  return { text, made: paths }
}

/** The text with every server out of the jail. */
export function releaseInJson(before: string, { at }: JailedServers): string {
  return entriesIn(before, at).reduce((text, { path }) => moveOutOfJail(text, path), before)
}

type Entry = { name: string; path: JsonPath; node: Node }

/** In the file of Claude Code there is a list for each project, too. */
function entriesIn(text: string, at: JsonPath): Entry[] {
  const tree = readTree(text)
  const projects = namesAt(text, tree, ['projects'])
  const lists = [at, ...projects.map((project) => ['projects', project, ...at])]
  return lists.flatMap((list) =>
    namesAt(text, tree, list).flatMap((name) => {
      const path = [...list, name]
      const node = nodeAt(text, tree, path)
      return node ? [{ name, path, node }] : []
    }),
  )
}

function namesAt(text: string, tree: Node | undefined, path: JsonPath): string[] {
  const node = nodeAt(text, tree, path)
  if (node?.type !== 'object') return []
  return (node.children ?? []).map((property) => String(property.children?.[0]?.value))
}

function dataAt(text: string, path: JsonPath): unknown {
  const node = nodeAt(text, readTree(text), path)
  return node && dataOf(node)
}

/** The bytes of the old command move, so that they can be put back. */
function moveIntoJail(text: string, path: JsonPath, starter: string): string {
  const command = mustBeThere(text, [...path, 'command'])
  if (command.type === 'array') return withFirst(text, command, JSON.stringify(starter))
  const raw = rawOf(text, command)
  const list = nodeAt(text, readTree(text), [...path, 'args'])
  if (list && list.type !== 'array')
    throw new BrokenFile(`"args" in line ${lineAt(text, list.offset)} is not a list`)
  const withArgument = list
    ? withFirst(text, list, raw)
    : setJson(text, [...path, 'args'], [command.value])
  return withStarter(withArgument, path, starter)
}

function moveOutOfJail(text: string, path: JsonPath): string {
  if (placeOfServer(dataAt(text, path)) !== 'in_the_jail') return text
  const command = mustBeThere(text, [...path, 'command'])
  if (command.type === 'array') return withoutFirst(text, command)
  const list = mustBeThere(text, [...path, 'args'])
  const [first] = list.children ?? []
  if (first?.type !== 'string')
    throw new BrokenFile(`the command of "${path.at(-1)}" is missing from its arguments`)
  return withCommand(withoutFirst(text, list), path, rawOf(text, first))
}

function withStarter(text: string, path: JsonPath, starter: string): string {
  const command = mustBeThere(text, [...path, 'command'])
  const [first] = command.children ?? []
  const node = command.type === 'array' ? first : command
  if (!node || node.value === starter) return text
  return splice(text, node, JSON.stringify(starter))
}

function withCommand(text: string, path: JsonPath, raw: string): string {
  return splice(text, mustBeThere(text, [...path, 'command']), raw)
}

function withFirst(text: string, { offset, children = [] }: Node, raw: string): string {
  const at = children[0]?.offset ?? offset + 1
  return text.slice(0, at) + raw + (children.length > 0 ? ', ' : '') + text.slice(at)
}

function withoutFirst(text: string, { children = [] }: Node): string {
  const [first, second] = children
  if (!first) return text
  return text.slice(0, first.offset) + text.slice(second?.offset ?? first.offset + first.length)
}

function splice(text: string, { offset, length }: Node, raw: string): string {
  return text.slice(0, offset) + raw + text.slice(offset + length)
}

function rawOf(text: string, { offset, length }: Node): string {
  return text.slice(offset, offset + length)
}

function mustBeThere(text: string, path: JsonPath): Node {
  const node = nodeAt(text, readTree(text), path)
  if (!node) throw new BrokenFile(`"${path.join('.')}" is missing`)
  return node
}
