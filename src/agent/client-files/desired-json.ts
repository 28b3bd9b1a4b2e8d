import type { Node } from 'jsonc-parser'
import { besideGates, type GatedServers, gateInJson } from './gated-servers.ts'
import { type JailedServers, jailInJson, releaseInJson } from './jailed-servers.ts'
import { dataOf, type JsonPath, nodeAt, readTree } from './json-document.ts'
import { appendJson, removeItem, removeJson, replaceItem, setJson } from './json-edit.ts'

/** The desired contents of a JSON file of a client, and how our own entries are recognised. */
export type DesiredJson = {
  kind: 'json'
  path: string
  /** The client reads JSON without comments, and ignores a whole file that has some. */
  strict?: boolean
  /** A lasting value is not ours alone: it is written if it is missing, and stays after undo. */
  values: ReadonlyArray<{ at: JsonPath; value: unknown; lasting?: true }>
  /** Values of earlier versions that must not be there any more. */
  gone?: readonly JsonPath[]
  /** Our own items of these lists, at their end. */
  lists: ReadonlyArray<{ at: JsonPath; items: readonly unknown[] }>
  /** Every list below is searched for older entries of ours. */
  hooksAt?: JsonPath
  /** The client's other servers, which can be started in the jail. */
  servers?: JailedServers
  /** The same servers, which can be started behind a gate. */
  gates?: GatedServers
  isOurs(entry: unknown): boolean
}

/** The new text, and the objects and lists that were created for it. */
export type Written = { text: string; made: JsonPath[] }

export function writeJson(before: string, request: DesiredJson): Written {
  const tree = readTree(before)
  const paths = [...request.values, ...request.lists].map(({ at }) => at)
  const createdPaths = parentsOf(paths, request).filter((path) => !nodeAt(before, tree, path))
  let text = before
  for (const { at, value, lasting } of request.values) {
    const there = nodeAt(text, readTree(text), at)
    if (there && lasting) continue
    if (!there || !Bun.deepEquals(dataOf(there), value)) text = setJson(text, at, value)
  }
  for (const { at, items } of request.lists) text = writeList(text, at, items, request)
  for (const at of request.gone ?? []) text = removeJson(text, at)
  text = removeOurs(text, request, staleLists(text, request))
  return { text: withServers(text, request), made: createdPaths }
}

/**
 * Removes our entries, and the objects and lists that were created for them if nothing else is in
 * them.
 */
export function undoJson(
  before: string,
  request: DesiredJson,
  createdPaths: readonly JsonPath[],
): string {
  const { gates } = request
  const open = gates ? gateInJson(before, { ...gates, add: [], drop: 'all' }) : before
  let text = request.servers ? releaseInJson(open, request.servers) : open
  for (const { at, lasting } of request.values) if (!lasting) text = removeJson(text, at)
  for (const at of request.gone ?? []) text = removeJson(text, at)
  const lists = [...request.lists.map(({ at }) => at), ...staleLists(text, request)]
  text = removeOurs(text, request, lists)
  for (const path of createdPaths.toSorted((a, b) => b.length - a.length)) {
    const node = nodeAt(text, readTree(text), path)
    if (node && isEmpty(text, node)) text = removeJson(text, path)
  }
  return text
}

/** The jail is within the gate: a gate outlives its server. */
function withServers(before: string, { servers, gates }: DesiredJson): string {
  const jailed = (text: string) => (servers ? jailInJson(text, servers) : text)
  return gates ? gateInJson(besideGates(before, gates, jailed), gates) : jailed(before)
}

function isEmpty(text: string, { type, children, offset, length }: Node): boolean {
  if (type !== 'object' && type !== 'array') return false
  // If somebody wrote a comment in it, it stays.
  return !children?.length && text.slice(offset + 1, offset + length - 1).trim() === ''
}

function writeList(before: string, at: JsonPath, items: readonly unknown[], request: DesiredJson) {
  let text = removeFromGroups(before, at, request)
  const own = indexesOf(text, at, (entry) => isOne(entry, items, request))
  items.forEach((item, i) => {
    const index = own[i]
    if (index === undefined) text = appendJson(text, at, item)
    else if (!Bun.deepEquals(entriesAt(text, at)[index], item)) {
      text = replaceItem(text, at, index, item)
    }
  })
  for (const index of own.slice(items.length).reverse()) text = removeItem(text, at, index)
  return text
}

function removeOurs(before: string, request: DesiredJson, lists: readonly JsonPath[]): string {
  let text = before
  for (const at of lists) {
    text = removeFromGroups(text, at, request)
    const items = request.lists.find((list) => Bun.deepEquals(list.at, at))?.items ?? []
    const own = indexesOf(text, at, (entry) => isOne(entry, items, request))
    for (const index of own.reverse()) text = removeItem(text, at, index)
  }
  return text
}

/** Removes our hook from entries in which somebody put it beside another. */
function removeFromGroups(before: string, at: JsonPath, request: DesiredJson): string {
  let text = before
  entriesAt(before, at).forEach((entry, i) => {
    const { hooks } = (entry ?? {}) as { hooks?: unknown }
    if (!Array.isArray(hooks) || request.isOurs(entry)) return
    const own = hooks.flatMap((one, index) => (request.isOurs(one) ? [index] : []))
    for (const index of own.reverse()) text = removeItem(text, [...at, i, 'hooks'], index)
  })
  return text
}

/** Lists of hooks that are not part of the request any more, or never were. */
function staleLists(text: string, { hooksAt, lists }: DesiredJson): JsonPath[] {
  if (!hooksAt) return []
  const node = nodeAt(text, readTree(text), hooksAt)
  if (node?.type !== 'object') return []
  const names = (node.children ?? []).map((property) => String(property.children?.[0]?.value))
  const paths = names.map((name) => [...hooksAt, name])
  return paths.filter((path) => !lists.some(({ at }) => Bun.deepEquals(at, path)))
}

function isOne(entry: unknown, items: readonly unknown[], request: DesiredJson): boolean {
  if (typeof entry === 'string') return items.includes(entry)
  return request.isOurs(entry)
}

function indexesOf(text: string, at: JsonPath, isWanted: (entry: unknown) => boolean): number[] {
  return entriesAt(text, at).flatMap((entry, i) => (isWanted(entry) ? [i] : []))
}

function entriesAt(text: string, at: JsonPath): unknown[] {
  const node = nodeAt(text, readTree(text), at)
  return node?.type === 'array' ? (node.children ?? []).map(dataOf) : []
}

/** Every object on the way to a written value, and the lists themselves. */
function parentsOf(paths: readonly JsonPath[], { lists }: DesiredJson): JsonPath[] {
  const parents = new Map<string, JsonPath>()
  for (const path of paths) {
    const isList = lists.some(({ at }) => at === path)
    for (let depth = 1; depth < path.length + (isList ? 1 : 0); depth++) {
      const parent = path.slice(0, depth)
      parents.set(JSON.stringify(parent), parent)
    }
  }
  return [...parents.values()]
}
