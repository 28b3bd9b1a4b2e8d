import { gateOf, startWords } from './command-prefix.ts'
import {
  putLineInToml,
  putPrefixInToml,
  takeLineFromToml,
  takePrefixFromToml,
} from './command-prefix-toml.ts'
import {
  fullLimit,
  type GatedServers,
  type GateHere,
  gateHere,
  holdFor,
  isDropped,
  isOurLimit,
  type ToolLimit,
} from './gated-servers.ts'
import { putHttpGateInToml, takeHttpGateFromData, takeHttpGateFromToml } from './http-gates-toml.ts'
import { serverTables } from './jailed-toml.ts'
import { readToml } from './toml-sections.ts'

/** As `gatesInJson`, of a TOML file. */
export function gatesInToml(
  text: string,
  { at, own }: Pick<GatedServers, 'at' | 'own'>,
): GateHere[] {
  return Object.entries(serverTables(readToml(text), at))
    .filter(([name]) => name !== own)
    .map(([name, entry]) => gateHere(name, entry))
}

/** As `gateInJson`, of a TOML file. */
export function gateInToml(before: string, gates: GatedServers): string {
  const { at, own, add, limit, wordsOf, http } = gates
  let text = before
  for (const [name, entry] of Object.entries(serverTables(readToml(before), at))) {
    if (name === own) continue
    const path = [...at, name]
    const { is } = gateHere(name, entry)
    const key = /http$/.test(is) ? 'url' : 'command'
    if (/^gated/.test(is) && isDropped(gates, name)) {
      const count = gateOf(entry)?.count
      text =
        count === undefined
          ? takeHttpGateFromToml(text, path, gates.open ?? [])
          : takePrefixFromToml(text, path, count)
      if (limit && isOurLimit(entry, limit))
        text = takeLineFromToml(text, path, limitLine(limit), key)
    }
    const isOpen = is === 'open' || (is === 'over_http' && http)
    if (!isOpen || !add.includes(name)) continue
    const { holdS, raises } = holdFor(entry, limit)
    if (is === 'over_http' && http)
      text = putHttpGateInToml(text, path, entry, { ...http, name, holdS })
    if (limit && raises) text = putLineInToml(text, path, limitLine(limit), key)
    if (is === 'open') text = putPrefixInToml(text, path, wordsOf(name, holdS))
  }
  return text
}

/** As `besideGates`, of a TOML file. */
export function besideGatesInToml(
  before: string,
  { at }: GatedServers,
  change: (text: string) => string,
): string {
  const all = Object.entries(serverTables(readToml(before), at)).flatMap(([name, entry]) => {
    const gate = gateOf(entry)
    const words = (startWords(entry) ?? []).slice(0, gate?.count)
    return gate ? [{ path: [...at, name], words }] : []
  })
  const open = all.reduce(
    (text, { path, words }) => takePrefixFromToml(text, path, words.length),
    before,
  )
  return all.reduce((text, { path, words }) => putPrefixInToml(text, path, words), change(open))
}

/** Takes every gate out of the data of a file, with the limits that setup wrote. */
export function takeGatesFromData(
  data: Record<string, unknown>,
  { at, limit, open = [] }: GatedServers,
): void {
  for (const [name, entry] of Object.entries(serverTables(data, at))) {
    const { is } = gateHere(name, entry)
    if (is !== 'gated' && is !== 'gated_over_http') continue
    const server = entry as Record<string, unknown>
    if (limit && isOurLimit(entry, limit)) delete server[limit.key]
    const gate = gateOf(entry)
    if (!gate) {
      takeHttpGateFromData(server, [...at, name], open)
      continue
    }
    const [command, ...args] = (startWords(entry) ?? []).slice(gate.count)
    Object.assign(server, { command, args })
  }
}

function limitLine(limit: ToolLimit): string {
  return `${limit.key} = ${fullLimit(limit)}`
}
