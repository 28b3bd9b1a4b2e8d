import { putPrefixInToml, takePrefixFromToml } from './command-prefix-toml.ts'
import { type JailedServers, placeOfServer, type ServerHere } from './jailed-servers.ts'
import { readToml } from './toml-sections.ts'

/** As `serversInJson`, of a TOML file. */
export function serversInToml(text: string, { at, own }: JailedServers): ServerHere[] {
  return Object.entries(serverTables(readToml(text), at))
    .filter(([name]) => name !== own)
    .map(([name, entry]) => ({ name, is: placeOfServer(entry) }))
}

/** As `jailInJson`, of a TOML file. */
export function jailInToml(before: string, { at, own, starter, add, drop }: JailedServers): string {
  let text = before
  for (const [name, entry] of Object.entries(serverTables(readToml(before), at))) {
    if (name === own) continue
    const is = placeOfServer(entry)
    if (is === 'in_the_jail') {
      text = takePrefixFromToml(text, [...at, name], 1)
      if (!drop.includes(name)) text = putPrefixInToml(text, [...at, name], [starter])
    }
    if (is === 'outside' && add.includes(name))
      text = putPrefixInToml(text, [...at, name], [starter])
  }
  return text
}

/** As `releaseInJson`, of a TOML file. */
export function releaseInToml(before: string, { at }: JailedServers): string {
  return Object.entries(serverTables(readToml(before), at)).reduce(
    (text, [name, entry]) =>
      placeOfServer(entry) === 'in_the_jail' ? takePrefixFromToml(text, [...at, name], 1) : text,
    before,
  )
}

/** The data of a file with every server out of the jail. */
export function moveDataOutOfJail(data: Record<string, unknown>, { at }: JailedServers): void {
  for (const entry of Object.values(serverTables(data, at))) {
    if (placeOfServer(entry) !== 'in_the_jail') continue
    const server = entry as { command: unknown; args?: unknown[] }
    const [command, ...args] = server.args ?? []
    server.command = command
    server.args = args
  }
}

/** The entries of the list of servers at `at`. */
export function serverTables(
  data: Record<string, unknown>,
  at: readonly string[],
): Record<string, unknown> {
  const list = at.reduce<unknown>((inner, name) => (inner as Record<string, unknown>)?.[name], data)
  return list !== null && typeof list === 'object' ? (list as Record<string, unknown>) : {}
}
