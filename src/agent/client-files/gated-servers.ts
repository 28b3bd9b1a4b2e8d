import { type Gate, gateOf, putPrefix, startWords, takePrefix } from './command-prefix.ts'
import { dataAt, type ServerEntry, serverEntries } from './jailed-servers.ts'
import { dataOf, type JsonPath } from './json-document.ts'
import { removeJson, setJson } from './json-edit.ts'

/** How long a client waits for a tool: the field of the server's entry, in this many units a second. */
export type ToolLimit = { key: string; perSecond: 1 | 1000 }

/** The MCP servers of a client that are started behind a gate: its words stand before their command. */
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
}

/** How the client starts a server behind its gate. */
export type GateStart = { name: string; words: readonly string[]; env: Record<string, string> }

/** A server of a client: behind a gate, started by the client without one, or running elsewhere. */
export type GateHere =
  | { name: string; is: 'gated'; start: GateStart }
  | { name: string; is: 'open' | 'elsewhere' }

// With this hold, and with it alone, the limit in the entry is one that setup wrote.
const FULL_HOLD_S = 600
const FULL_LIMIT_S = 660
// The limits of other clients are not known; each waits longer than this for a tool.
const SHORT_HOLD_S = 50
// The refusal has to arrive before the client gives up.
const SPARE_S = 20
const HOLD_MIN_S = 10

/** How a server's entry is started, in the form of any client. */
export function stateOfGate(entry: unknown): GateHere['is'] {
  if (gateOf(entry)) return 'gated'
  return startWords(entry) ? 'open' : 'elsewhere'
}

/** The servers of a JSON file but for our own. */
export function gatesInJson(text: string, { at, own }: Pick<GatedServers, 'at' | 'own'>) {
  return serverEntries(text, at)
    .filter(({ name }) => name !== own)
    .map(({ name, node }) => gateHere(name, dataOf(node)))
}

/** A server and how its entry starts it. */
export function gateHere(name: string, entry: unknown): GateHere {
  const is = stateOfGate(entry)
  if (is !== 'gated') return { name, is }
  const { env, environment = env } = entry as { env?: unknown; environment?: unknown }
  const variables = Object.entries(environment ?? {}).filter(
    ([, value]) => typeof value === 'string',
  )
  const words = startWords(entry) ?? []
  return { name, is, start: { name, words, env: Object.fromEntries(variables) } }
}

/** The text with these servers behind a gate, and those before one. Throws `BrokenFile`. */
export function gateInJson(before: string, gates: GatedServers): string {
  const { at, own, add } = gates
  let text = before
  for (const { name, path } of serverEntries(before, at)) {
    if (name === own) continue
    const is = stateOfGate(dataAt(text, path))
    if (is === 'gated' && isDropped(gates, name)) text = takeGate(text, path, gates)
    if (is === 'open' && add.includes(name)) text = putGate(text, { name, path }, gates)
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

/** True if setup wrote the limit of an entry with this gate. */
export function isOurLimit(entry: unknown, gate: Gate, limit: ToolLimit | undefined): boolean {
  if (!limit || gate.holdS !== FULL_HOLD_S) return false
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

function takeGate(before: string, path: JsonPath, { limit }: GatedServers): string {
  const entry = dataAt(before, path)
  const gate = gateOf(entry)
  if (!gate) return before
  const text = takePrefix(before, path, gate.count)
  return limit && isOurLimit(entry, gate, limit) ? removeJson(text, [...path, limit.key]) : text
}
