import { gateOf, putPrefix, startWords, takePrefix } from './command-prefix.ts'
import {
  addressIn,
  type GatesAt,
  type HttpAddress,
  type HttpServer,
  heldBy,
  isGateAddress,
  type OpenEntry,
  putHttpGate,
  readHttpServer,
  takeHttpGate,
} from './http-gates.ts'
import { dataAt, type ServerEntry, serverEntries } from './jailed-servers.ts'
import { dataOf, type JsonPath } from './json-document.ts'
import { removeJson, setJson } from './json-edit.ts'

/** How long a client waits for a tool: the field of the server's entry, in this many units a second. */
export type ToolLimit = { key: string; perSecond: 1 | 1000 }

/**
 * The MCP servers of a client that are reached through a gate: its words stand before their command, or
 * its address is in place of theirs.
 */
export type GatedServers = {
  /** The list of servers in the file. */
  at: JsonPath
  /** The name of the one that is Beckon itself. */
  own: string
  /** The words of a gate, up to `--`. */
  wordsOf(name: string, holdS: number): readonly string[]
  /** Left out if the entries of the client have no such field. */
  limit: ToolLimit | undefined
  /** Names of servers that come behind a gate, and of those that leave it. */
  add: readonly string[]
  drop: readonly string[] | 'all'
  /** How clients get to gates over HTTP; needed to add one. */
  http?: GatesAt | undefined
  /** The entries of servers over HTTP before they came behind a gate. */
  open?: readonly OpenEntry[]
}

/** How the client starts a server behind its gate. */
export type GateStart = { name: string; words: readonly string[]; env: Record<string, string> }

/** A server of a client: behind a gate, or without one: started by the client, over HTTP, or neither. */
export type GateHere =
  | { name: string; is: 'gated'; start: GateStart }
  | { name: string; is: 'gated_over_http'; address: HttpAddress }
  | { name: string; is: 'open' }
  | { name: string; is: 'over_http'; server: HttpServer }
  | { name: string; is: 'elsewhere'; why: string }

// With this hold, and with it alone, the limit in the entry is one that setup wrote.
const FULL_HOLD_S = 600
const FULL_LIMIT_S = 660
// The limits of other clients are not known; each waits longer than this for a tool.
const SHORT_HOLD_S = 50
// The refusal has to arrive before the client gives up.
const SPARE_S = 20
const HOLD_MIN_S = 10

/** The servers of a JSON file but for our own. */
export function gatesInJson(text: string, { at, own }: Pick<GatedServers, 'at' | 'own'>) {
  return serverEntries(text, at)
    .filter(({ name }) => name !== own)
    .map(({ name, node }) => gateHere(name, dataOf(node)))
}

/** A server and how its client gets to it, in the form of any client. */
export function gateHere(name: string, entry: unknown): GateHere {
  const words = startWords(entry)
  if (gateOf(entry)) return { name, is: 'gated', start: startOf(name, entry, words ?? []) }
  if (words) return { name, is: 'open' }
  const address = addressIn(entry)
  if (!address) return { name, is: 'elsewhere', why: 'it has no command and no address' }
  if (isGateAddress(address)) return { name, is: 'gated_over_http', address }
  const server = readHttpServer(entry)
  if (typeof server === 'string') return { name, is: 'elsewhere', why: server }
  return { name, is: 'over_http', server }
}

function startOf(name: string, entry: unknown, words: readonly string[]): GateStart {
  const { env, environment = env } = entry as { env?: unknown; environment?: unknown }
  const variables = Object.entries(environment ?? {}).filter(
    ([, value]) => typeof value === 'string',
  )
  return { name, words, env: Object.fromEntries(variables) }
}

/** The text with these servers behind a gate, and those before one. Throws `BrokenFile`. */
export function gateInJson(before: string, gates: GatedServers): string {
  const { at, own, add } = gates
  let text = before
  for (const { name, path } of serverEntries(before, at)) {
    if (name === own) continue
    const { is } = gateHere(name, dataAt(text, path))
    if (/^gated/.test(is) && isDropped(gates, name)) text = takeGate(text, path, gates)
    if (is === 'open' && add.includes(name)) text = putGate(text, { name, path }, gates)
    if (is === 'over_http' && add.includes(name))
      text = putGateOverHttp(text, { name, path }, gates)
  }
  return text
}

/** Changes the text as if no server stood behind a gate, and puts the gates back. */
export function besideGates(
  before: string,
  gates: GatedServers,
  change: (text: string) => string,
): string {
  const all = serverEntries(before, gates.at).flatMap(({ path }) => {
    const entry = dataAt(before, path)
    const gate = gateOf(entry)
    return gate ? [{ path, words: (startWords(entry) ?? []).slice(0, gate.count) }] : []
  })
  const open = all.reduce((text, { path, words }) => takePrefix(text, path, words.length), before)
  const changed = change(open)
  if (changed === open) return before
  return all.reduce((text, { path, words }) => putPrefix(text, path, words), changed)
}

export function isDropped({ drop }: GatedServers, name: string): boolean {
  return drop === 'all' || drop.includes(name)
}

/**
 * How long the gate holds a call of this server, in seconds; and whether setup has to raise the
 * limit for that. A limit of the person's own stays as it is.
 */
export function holdFor(
  entry: unknown,
  limit: ToolLimit | undefined,
): { holdS: number; raises: boolean } {
  if (!limit) return { holdS: SHORT_HOLD_S, raises: false }
  const own = (entry as Record<string, unknown>)[limit.key]
  if (typeof own !== 'number') return { holdS: FULL_HOLD_S, raises: true }
  const holdS = Math.floor(own / limit.perSecond) - SPARE_S
  return { holdS: Math.min(FULL_HOLD_S - 1, Math.max(HOLD_MIN_S, holdS)), raises: false }
}

/** The limit that setup writes, in units of the client. */
export function fullLimit({ perSecond }: ToolLimit): number {
  return FULL_LIMIT_S * perSecond
}

/** True if setup wrote the limit of an entry behind a gate. */
export function isOurLimit(entry: unknown, limit: ToolLimit | undefined): boolean {
  const holdS = gateOf(entry)?.holdS ?? heldBy(entry)
  if (!limit || holdS !== FULL_HOLD_S) return false
  return (entry as Record<string, unknown>)[limit.key] === fullLimit(limit)
}

function putGate(
  before: string,
  { name, path }: Pick<ServerEntry, 'name' | 'path'>,
  { limit, wordsOf }: GatedServers,
): string {
  const { holdS, raises } = holdFor(dataAt(before, path), limit)
  const text = limit && raises ? setJson(before, [...path, limit.key], fullLimit(limit)) : before
  return putPrefix(text, path, wordsOf(name, holdS))
}

function putGateOverHttp(
  before: string,
  { name, path }: Pick<ServerEntry, 'name' | 'path'>,
  { limit, http }: GatedServers,
): string {
  if (!http) return before
  const { holdS, raises } = holdFor(dataAt(before, path), limit)
  const text = limit && raises ? setJson(before, [...path, limit.key], fullLimit(limit)) : before
  return putHttpGate(text, path, { ...http, name, holdS })
}

function takeGate(before: string, path: JsonPath, { limit, open = [] }: GatedServers): string {
  const entry = dataAt(before, path)
  const gate = gateOf(entry)
  const text = gate ? takePrefix(before, path, gate.count) : takeHttpGate(before, path, open)
  return limit && isOurLimit(entry, limit) ? removeJson(text, [...path, limit.key]) : text
}
