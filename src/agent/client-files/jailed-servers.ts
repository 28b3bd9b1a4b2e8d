import type { Node } from 'jsonc-parser'
import { gateOf, putPrefix, startWords, takePrefix } from './command-prefix.ts'
import { dataOf, type JsonPath, nodeAt, readTree } from './json-document.ts'

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

/** How a server's entry is started, in the form of any client; behind a gate, too. */
export function placeOfServer(entry: unknown): ServerHere['is'] {
  const first = startWords(entry)?.[gateOf(entry)?.count ?? 0]
  if (first === undefined) return 'elsewhere'
  return isServerStarter(first) ? 'in_the_jail' : 'outside'
}

/** The servers of a JSON file but for our own; one name may stand in several projects. */
export function serversInJson(text: string, { at, own }: JailedServers): ServerHere[] {
  return serverEntries(text, at)
    .filter(({ name }) => name !== own)
    .map(({ name, node }) => ({ name, is: placeOfServer(dataOf(node)) }))
}

/** The text with these servers in the jail, and those out of it. Throws `BrokenFile`. */
export function jailInJson(before: string, servers: JailedServers): string {
  const { at, own, starter, add, drop } = servers
  let text = before
  for (const { name, path } of serverEntries(before, at)) {
    if (name === own) continue
    const entry = dataAt(text, path)
    const is = placeOfServer(entry)
    const isJailed = is === 'in_the_jail'
    if (isJailed && !drop.includes(name) && startWords(entry)?.[0] === starter) continue
    if (isJailed) text = takePrefix(text, path, 1)
    if ((isJailed && !drop.includes(name)) || (is === 'outside' && add.includes(name)))
      text = putPrefix(text, path, [starter])
  }
  return text
}

/** The text with every server out of the jail. */
export function releaseInJson(before: string, { at }: JailedServers): string {
  return serverEntries(before, at).reduce(
    (text, { path }) =>
      placeOfServer(dataAt(text, path)) === 'in_the_jail' ? takePrefix(text, path, 1) : text,
    before,
  )
}

/** An entry of a list of servers. */
export type ServerEntry = { name: string; path: JsonPath; node: Node }

/** The servers of a file. In that of Claude Code there is a list for each project, too. */
export function serverEntries(text: string, at: JsonPath): ServerEntry[] {
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

/** The data of the entry at `path`. */
export function dataAt(text: string, path: JsonPath): unknown {
  const node = nodeAt(text, readTree(text), path)
  return node && dataOf(node)
}
