import { type ClientFile, readClientFile } from '../../platform/config/client-file.ts'
import type { ConfigReader } from '../../platform/config/config-reader.ts'
import type { Environment } from '../../platform/config/env.ts'
import { isLoopbackHost } from '../../platform/config/origins.ts'
import { WEB_ORIGIN } from '../../platform/config/values.ts'
import { inspectFolder } from '../../platform/db/inspect-folder.ts'
import { addressForLinks } from '../../platform/db/server-address.ts'
import { Failure, WrongUsage } from '../../platform/failure.ts'
import { randomText } from '../../platform/ids.ts'
import { VERSION } from '../../platform/program.ts'
import { note, noteError, say } from '../../platform/terminal/terminal.ts'
import { cleanLine } from '../../platform/text.ts'
import { NoService } from '../api-client.ts'
import type { Place } from '../client-files/client-setup.ts'
import { askLine, askYes, canAsk } from './ask.ts'
import { letsSignIn } from './sign-in.ts'

/** A server that accepted the token. */
export type Server = ClientFile & { name: string; test: boolean; devices: number }

const DEFAULT_URL = 'http://localhost:8484'
const PATIENCE_MS = 10_000

/** Stands for a server where none is needed or known. */
export const EXAMPLE_SERVER = { url: DEFAULT_URL, token: 'bk_YOUR_TOKEN' }

/** Where setup reads the settings of this machine. */
export type ReadingPlace = Place & { config: ConfigReader }

export type ServerFlags = { url: string | undefined; tokenStdin: boolean }

/**
 * The address and the token: from the options, otherwise from the environment, otherwise from an
 * earlier setup, otherwise from what the person types. Throws `WrongUsage` if there is nobody to
 * ask.
 */
export async function findServer(
  flags: ServerFlags,
  { env, config: reader }: ReadingPlace,
): Promise<{ url: string; token: string }> {
  const config = reader.readClientConfig(env)
  const url = flags.url === undefined ? (config.url ?? (await askUrl())) : readUrl(flags.url)
  const fallbackToken =
    config.url === url || env.BECKON_TOKEN || env.BECKON_TOKEN_FILE ? config.token : undefined
  const token = flags.tokenStdin ? await Bun.stdin.text() : (fallbackToken ?? (await askToken(url)))
  if (token.trim() === '') throw new WrongUsage('The token is empty.')
  if (/\s/.test(token.trim())) throw new WrongUsage('The token must be one word.')
  return { url, token: token.trim() }
}

/** Reads whatever is known, for a dry run: without a call and without a question. */
export async function likelyServer(flags: ServerFlags, { env, config: reader }: ReadingPlace) {
  const config = reader.readClientConfig(env)
  const token = flags.tokenStdin ? (await Bun.stdin.text()).trim() : config.token
  const url = flags.url === undefined ? (config.url ?? EXAMPLE_SERVER.url) : readUrl(flags.url)
  return { url, token: token || EXAMPLE_SERVER.token }
}

/**
 * The server, once it accepts the token. A token that it refuses is asked for again if `mayAsk`.
 * Throws `NoService` that says what is wrong.
 */
export async function takenServer(
  candidate: { url: string; token: string },
  env: Environment,
  mayAsk: boolean,
): Promise<Server> {
  let token = candidate.token
  for (;;) {
    try {
      return await provenServer({ url: candidate.url, token }, env)
    } catch (error) {
      if (!(error instanceof RefusedToken) || !mayAsk || !canAsk()) throw error
      noteError(error.message)
      token = (await askToken(candidate.url)).trim()
      if (token === '') throw new NoService('No token was given; nothing was written.')
    }
  }
}

/** The server answers, but does not accept the token. */
class RefusedToken extends NoService {}

/** The address alone, found as `findServer` finds it. */
export async function findAddress(
  flags: Pick<ServerFlags, 'url'>,
  { env, config }: ReadingPlace,
): Promise<string> {
  if (flags.url !== undefined) return readUrl(flags.url)
  return config.readClientConfig(env).url ?? (await askUrl())
}

/** The address in `--url`. Throws `WrongUsage`. */
export function readUrl(text: string): string {
  const url = WEB_ORIGIN.read(text.trim())
  if (url === undefined) throw new WrongUsage(`--url must be ${WEB_ORIGIN.must}.`)
  return url
}

async function askUrl(): Promise<string> {
  if (!canAsk()) throw new WrongUsage('--url is missing, and BECKON_URL is not set.')
  const typed = await askLine(`Address of your Beckon server [${DEFAULT_URL}]: `)
  if (typed === undefined) throw new WrongUsage('No address was given.')
  return readUrl(typed.trim() || DEFAULT_URL)
}

async function askToken(url: string): Promise<string> {
  if (!canAsk()) {
    throw new WrongUsage('The token is missing: set BECKON_TOKEN, or give it with --token-stdin.')
  }
  note(`A token is made at ${url}/settings/tokens, or by "beckon key create".`)
  if (await letsSignIn(url)) {
    note(
      'Without one, clients that can sign in: beckon setup --sign-in (their hooks need a token).',
    )
  }
  return (await askLine('Agent token (not shown): ', 'secret')) ?? ''
}

/** Calls the server with the token. Throws `NoService` that says what is wrong. */
export async function provenServer(
  { url, token }: { url: string; token: string },
  env: Environment,
): Promise<Server> {
  const response = await answer(url, token)
  const reply = await response.json().catch(() => undefined)
  if (response.status === 401) {
    throw new RefusedToken(
      `The server at ${url} does not accept this token; make one with "beckon key create".`,
    )
  }
  if (response.status === 404 && reply?.code === 'not_found') {
    throw new NoService(
      `The server at ${url} is older than beckon ${VERSION}; bring it up to date first.`,
    )
  }
  if (!response.ok || typeof reply?.devices !== 'number') {
    throw new NoService(`${url} answered ${response.status}, and not as a Beckon server does.`)
  }
  const machineId = readClientFile(env)?.machineId ?? `m_${randomText(16)}`
  const name = cleanLine(String(reply.name))
  return { url, token, machineId, name, test: reply.test === true, devices: reply.devices }
}

async function answer(url: string, token: string): Promise<Response> {
  try {
    return await fetch(`${url}/api/v1/agent`, {
      headers: { authorization: `Bearer ${token}`, 'user-agent': `beckon/${VERSION}` },
      redirect: 'manual',
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
  } catch (cause) {
    const { code, name } = cause as { code?: unknown; name?: string }
    const failed = typeof code === 'string' ? code : 'the connection failed'
    const why = name === 'TimeoutError' ? 'it does not answer' : failed
    throw new NoService(`The server at ${url} cannot be reached (${why}); nothing was written.`, {
      cause,
    })
  }
}

/** `beckon pair`. */
export type Pair = (args: string[]) => Promise<number>

/** Without a device nothing rings: says how to connect one, and shows the code if possible. */
export async function pairPhone(
  { url, devices, test }: Server,
  reader: ConfigReader,
  pair: Pair,
): Promise<void> {
  if (devices > 0 || test) return
  say(
    `No device is connected yet, so nobody is notified: open ${url}/settings/devices in a browser,`,
  )
  say('or run "beckon pair" where the server runs, to connect a phone with a QR code.')
  if (!canAsk() || !isHere(url, reader)) return
  if (!(await askYes('Connect a phone now?'))) return
  try {
    await pair(['--base-url', url])
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    say(error.message)
  }
}

/**
 * Returns true if the data folder that `beckon pair` would open on this machine belongs to the
 * server.
 */
function isHere(url: string, { readConfig }: ConfigReader): boolean {
  try {
    const config = readConfig()
    const { dataFolder, database } = config
    if (addressForLinks(config).baseUrl !== url) return false
    // Servers that share a database may run on any machine, and so may the database.
    if (database) return true
    if (!isLoopbackHost(new URL(url).hostname)) return false
    return inspectFolder(dataFolder, 0).database.state === 'read'
  } catch {
    return false
  }
}
