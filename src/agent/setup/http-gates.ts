import type { GateServerReply } from '../../ask/wire/gate-fields.ts'
import type { Environment } from '../../platform/config/env.ts'
import { WrongUsage } from '../../platform/failure.ts'
import type { ApiClient } from '../api-client.ts'
import type { DesiredFile } from '../client-files/client-setup.ts'
import type { HttpServer } from '../client-files/http-gates.ts'
import { readGatedEntries, type StoredEntry, writeGatedEntries } from '../state/gated-entries.ts'
import { gatesIn, openEntriesIn } from './server-gates.ts'

/** A server over HTTP that comes behind a gate. */
export type NamedServer = HttpServer & { name: string }

/**
 * The servers over HTTP among these names, each once. Throws `WrongUsage` if two clients have
 * different ones under one name.
 */
export function httpServersIn(
  files: readonly DesiredFile[],
  names: readonly string[],
): NamedServer[] {
  const servers = new Map<string, NamedServer>()
  for (const here of files.flatMap(gatesIn)) {
    if (here.is !== 'over_http' || !names.includes(here.name)) continue
    const { name } = here
    const server = { name, ...here.server }
    const other = servers.get(name)
    if (other && !Bun.deepEquals(other, server))
      throw new WrongUsage(
        `The clients here have two different servers called "${name}": name one client with --client.`,
      )
    servers.set(name, server)
  }
  return [...servers.values()]
}

/** Has Beckon's server put a server behind a gate. Throws `NoService`, `WrongUsage`. */
export async function registerServer(
  client: ApiClient,
  { name, ...server }: NamedServer,
): Promise<GateServerReply['state']> {
  const path = `/gates/${encodeURIComponent(name)}/server`
  const { state } = await client.call<GateServerReply>('POST', path, { body: server })
  return state
}

/** Remembers how the entries in these files are that come behind a gate now, so that they can be put back. */
export function rememberEntries(files: readonly DesiredFile[], env: Environment): void {
  const entries = files.flatMap((file) =>
    openEntriesIn(file).map((entry): StoredEntry => ({ file: file.path, ...entry })),
  )
  if (entries.length === 0) return
  const isNew = (one: StoredEntry) =>
    !entries.some(({ file, path }) => file === one.file && Bun.deepEquals(path, one.path))
  writeGatedEntries(env, [...readGatedEntries(env).filter(isNew), ...entries])
}
