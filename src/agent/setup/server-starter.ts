import { join } from 'node:path'
import { stateFolder } from '../../platform/config/client-file.ts'
import { cleanLine } from '../../platform/text.ts'
import { BrokenFile } from '../client-files/broken-file.ts'
import {
  type DesiredFile,
  type InstallRequest,
  type OwnFile,
  type Place,
  SERVER_NAME,
} from '../client-files/client-setup.ts'
import { hasEnv, serverStarter } from '../client-files/entries.ts'
import {
  type JailedServers,
  type ServerHere,
  serversInJson,
} from '../client-files/jailed-servers.ts'
import { serversInToml } from '../client-files/jailed-toml.ts'
import { readTextFile } from '../client-files/text-file.ts'
import type { AgentClient } from '../clients/client.ts'

const EXECUTABLE = 0o755

/**
 * The files of a client with the servers that are to be started in the jail, and with the file that starts them if
 * one is. Only the user's own files: those of a project are shared with machines that have no such file.
 */
export function withServers(
  client: Pick<AgentClient, 'name' | 'hook'>,
  files: readonly DesiredFile[],
  request: InstallRequest,
): DesiredFile[] {
  if (!canJailServers(client, request.place)) return [...files]
  const starter: OwnFile = {
    kind: 'own',
    path: starterPath(client, request.place),
    text: serverStarter(request, client.name),
    mode: EXECUTABLE,
  }
  const { add, drop } = request.jailServers ?? { add: [], drop: [] }
  const all = files.map((file) => {
    const at = listIn(file)
    if (!at || file.kind === 'own') return file
    return { ...file, servers: { at, own: SERVER_NAME, starter: starter.path, add, drop } }
  })
  const isNeeded = serversIn(all).some(
    ({ name, is }) => is === 'in_the_jail' || (is === 'outside' && add.includes(name)),
  )
  return isNeeded || request.place.has(starter.path) ? [...all, starter] : all
}

/** Returns true if servers of this client can be started in the jail here. */
export function canJailServers({ hook }: Pick<AgentClient, 'hook'>, place: Place): boolean {
  return hook !== undefined && place.platform === 'linux' && !place.project && hasEnv(place)
}

function starterPath({ name }: Pick<AgentClient, 'name'>, { env }: Place): string {
  return join(stateFolder(env), `serve-${name}`)
}

// Longer than the start of two processes takes on a busy machine.
const START_MS = 10_000

/** Starts a program as servers of the client are; a sentence if that fails. */
export async function startsServers(
  client: Pick<AgentClient, 'name'>,
  place: Place,
): Promise<string | undefined> {
  const path = starterPath(client, place)
  try {
    const child = Bun.spawn([path, 'true'], {
      cwd: place.home,
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: START_MS,
    })
    const [why, code] = await Promise.all([new Response(child.stderr).text(), child.exited])
    if (code === 0) return undefined
    return `${path} starts no MCP server in the jail: ${cleanLine(why) || `it ends with ${code}`}`
  } catch {
    return `${path}, which starts MCP servers in the jail, cannot be executed.`
  }
}

/** The servers in the files of a client as they are now; none of a file that cannot be read. */
export function serversIn(files: readonly DesiredFile[]): ServerHere[] {
  return files.flatMap((file) => {
    if (file.kind === 'own' || !file.servers) return []
    try {
      const { text } = readTextFile(file.path)
      return file.kind === 'toml'
        ? serversInToml(text, file.servers)
        : serversInJson(text, file.servers)
    } catch (error) {
      if (error instanceof BrokenFile) return []
      throw error
    }
  })
}

/** The list of servers in a file that has ours. */
export function listIn(file: DesiredFile): JailedServers['at'] | undefined {
  if (file.kind === 'own') return undefined
  const entries = file.kind === 'toml' ? file.tables : file.values
  return entries.find(({ at }) => at.at(-1) === SERVER_NAME)?.at.slice(0, -1)
}
