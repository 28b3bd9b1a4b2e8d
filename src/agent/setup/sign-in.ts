import { WrongUsage } from '../../platform/failure.ts'
import { VERSION } from '../../platform/program.ts'
import { NoService } from '../api-client.ts'
import { type DesiredFile, type InstallRequest, SERVER_NAME } from '../client-files/client-setup.ts'
import type { DesiredJson } from '../client-files/desired-json.ts'
import type { SetupClient } from '../clients/clients.ts'
import { onlyGates, withGates } from './server-gates.ts'
import { withServers } from './server-starter.ts'

/** The MCP address that asks for a sign-in (`SIGN_IN_MCP_PATH` in `src/ask/oauth`). */
const SIGN_IN_PATH = '/mcp'
const METADATA_PATH = `/.well-known/oauth-protected-resource${SIGN_IN_PATH}`
const PATIENCE_MS = 10_000

/** The request for clients that sign in by themselves, at the server with this address. */
export function withoutToken(request: InstallRequest, url: string): InstallRequest {
  return { ...request, url: url + SIGN_IN_PATH, token: '', http: true, signIn: true }
}

/**
 * The files of a client as the request has them. A client that signs in gets the server, and the rule
 * that lets it call the tools without asking. Hooks that are there stay, since they have a token of
 * their own.
 */
export function filesOf(client: SetupClient, request: InstallRequest): DesiredFile[] {
  const files = client.files(request)
  if (request.signIn) return files.flatMap(onlyServer)
  const whole = withGates(client, withServers(client, files, request), request)
  return request.gates ? onlyGates(whole, request) : whole
}

function onlyServer(file: DesiredFile): DesiredFile[] {
  if (file.kind === 'own') return []
  if (file.kind === 'toml') return [{ ...file, lists: [], isOurs: () => false }]
  const { hooksAt, ...rest } = file
  const values = file.values.filter(({ at }) => at.at(-1) === SERVER_NAME).map(withoutHeaders)
  const lists = file.lists.filter(({ at }) => at[0] !== hooksAt?.[0])
  return values.length + lists.length > 0 ? [{ ...rest, values, lists }] : []
}

/** Leaves the header field out if it is empty. */
function withoutHeaders(entry: DesiredJson['values'][number]) {
  const { headers, ...rest } = entry.value as { headers?: object }
  return headers && Object.keys(headers).length === 0 ? { ...entry, value: rest } : entry
}

/** Those of the clients that can sign in. Throws `WrongUsage` for a named client that cannot. */
export function onlyWithSignIn(
  clients: readonly SetupClient[],
  chosen: readonly SetupClient[],
): SetupClient[] {
  const cannot = chosen.find(({ signIn }) => signIn === undefined)
  if (!cannot) return clients.filter(({ signIn }) => signIn !== undefined)
  throw new WrongUsage(
    `${cannot.title} is not known to sign in by itself; give it a token: beckon setup ${cannot.name}.`,
  )
}

/** Throws `NoService` if no client can sign in there. */
export async function mustLetSignIn(url: string): Promise<void> {
  const status = await statusOf(url + METADATA_PATH)
  if (status === 200) return
  if (status === undefined) {
    throw new NoService(`The server at ${url} cannot be reached; nothing was written.`)
  }
  throw new NoService(
    `The server at ${url} does not let clients sign in; its owner switches that on with BECKON_OAUTH=on. Nothing was written.`,
  )
}

/** Returns true if the server lets clients sign in. */
export async function letsSignIn(url: string): Promise<boolean> {
  return (await statusOf(url + METADATA_PATH)) === 200
}

async function statusOf(address: string): Promise<number | undefined> {
  try {
    const { status } = await fetch(address, {
      headers: { 'user-agent': `beckon/${VERSION}` },
      redirect: 'manual',
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    return status
  } catch {
    return undefined
  }
}
