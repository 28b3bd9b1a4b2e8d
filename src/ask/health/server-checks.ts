import { findServer } from '../../platform/db/only-server.ts'
import { readJsonObject } from '../../platform/json.ts'
import { VERSION } from '../../platform/program.ts'
import { cleanLine, cutText } from '../../platform/text.ts'
import {
  type Check,
  failedCheck,
  type Link,
  passedCheck,
  skippedCheck,
  warnedCheck,
} from '../check.ts'
import { type Probed, probe } from './probe.ts'
import type { Reachability } from './reflection.ts'

const NAME = 'Server'
const NOT_STARTED =
  'Start it with beckon serve; if it listens elsewhere, say so with --port or BECKON_PORT.'

const OTHER_FOLDER = 'Name the data folder of that server with --data, or its port with --port.'
const OTHER_DATABASE =
  'Give both the same BECKON_DATABASE_URL, or say where the right one listens with --port.'

/**
 * Checks that the server that uses this data answers at `origin`: the data of a shared database, or
 * of the folder at `path`.
 */
export function serverCheck(
  origin: string,
  sight: Reachability,
  { ofDatabase, path }: { ofDatabase: boolean; path: string },
): Check {
  switch (sight.kind) {
    case 'ours':
      return versionCheck(origin, sight.reflection.version)
    case 'beckon':
      return failedCheck(
        'server',
        NAME,
        `A Beckon server answers at ${origin}, but not ${ofDatabase ? 'one of this database' : 'the one of this data folder'}.`,
        ofDatabase ? OTHER_DATABASE : OTHER_FOLDER,
      )
    case 'unproved':
      return warnedCheck(
        'server',
        NAME,
        `A Beckon server answers at ${origin}; whether it is ${ofDatabase ? 'one of this database' : 'that of this folder'} cannot be told.`,
        'Fix the storage first.',
      )
    case 'nobody':
      return failedCheck(
        'server',
        NAME,
        `Nothing answers at ${origin}: ${sight.why}.`,
        whereItRuns(path, origin),
      )
    default:
      return strangerCheck(origin)
  }
}

/** Advises what to do if nobody answers at `origin`. */
function whereItRuns(path: string, origin: string): string {
  const running = findServer(path)
  if (running.state === 'none') return NOT_STARTED
  if (running.state === 'unknown') {
    return `${running.why} If a server does, say where it listens with --port or BECKON_PORT.`
  }
  const { host, port } = running.address
  return origin.endsWith(`:${port}`)
    ? 'A server runs with this data folder, but does not answer: its log may say why.'
    : `A server runs with this data folder, and listens on ${host}, port ${port}: say so with --port.`
}

/**
 * The result if nobody answers at `origin` while other servers use the same database, from the
 * addresses that the database sees. `alone`: no other address is known that could lead to them.
 */
export function othersCheck(origin: string, others: readonly string[], alone: boolean): Check {
  const places = [...new Set(others)].join(' and ')
  const those = others.length === 1 ? '1 server uses' : `${others.length} servers use`
  const message = `Nothing answers at ${origin}; ${those} the database, from ${places}.`
  // The check of the base URL shows whether they answer.
  if (!alone) return skippedCheck('server', NAME, message)
  const cure = 'Say where they answer: with --base-url, or with --port for one on this machine.'
  return warnedCheck('server', NAME, message, cure)
}

function versionCheck(origin: string, running: unknown): Check {
  const version = cutText(cleanLine(String(running)), 40)
  if (version === VERSION)
    return passedCheck('server', NAME, `Beckon ${VERSION} answers at ${origin}.`)
  const message = `Version ${version} answers at ${origin}; this program is ${VERSION}.`
  return warnedCheck('server', NAME, message, 'Restart the server, so that both are the same.')
}

/** Checks that a Beckon server answers at `origin`, ready or not. */
export async function aliveCheck(origin: string): Promise<Check> {
  const alive = await probe(`${origin}/healthz`)
  if (!alive.answered) {
    const message = `Nothing answers at ${origin}: ${alive.why}.`
    return failedCheck('server', NAME, message, NOT_STARTED)
  }
  if (alive.status === 200 && readJsonObject(alive.text)?.status === 'ok') {
    return passedCheck('server', NAME, `A Beckon server answers at ${origin}.`)
  }
  return strangerCheck(origin)
}

function strangerCheck(origin: string): Check {
  const cure = 'Stop that program, or give Beckon another port with --port or BECKON_PORT.'
  return failedCheck('server', NAME, `Another program answers at ${origin}.`, cure)
}

/** Checks that the server is ready: its database answers and accepts writes. */
export async function readyCheck(origin: string): Promise<Check> {
  const ready = await probe(`${origin}/readyz`)
  if (ready.answered && readJsonObject(ready.text)?.status === 'ready') {
    return passedCheck('server', 'Readiness', 'The server reads and writes its database.')
  }
  const status = ready.answered ? `it answers ${ready.status}${reasonIn(ready.text)}` : ready.why
  const cure =
    'The log of the server says why; a full disk needs space, and a restart reopens the database.'
  return failedCheck('server', 'Readiness', `The server is not ready: ${status}.`, cure)
}

/** The reason that the server gives. */
function reasonIn(text: string): string {
  const { detail } = readJsonObject(text) ?? {}
  return typeof detail === 'string' ? ` (${cutText(cleanLine(detail), 200)})` : ''
}

/** The path that agents are given (`MCP_PATH` in `src/ask/mcp`). */
const PATH = '/api/mcp/mcp'
const OLD = '2025-11-25'
const MODERN = '2026-07-28'

/** One thing that clients rely on: a request, and the response that must come back. */
type ChainStep = {
  what: string
  ask: (url: string) => Promise<Probed>
  holds: (answer: Extract<Probed, { answered: true }>) => boolean
}

// More than the longest question with everything in it.
const PAD = ' '.repeat(64 * 1024)

const CLIENT = { name: 'beckon-doctor', version: '1' }
const MODERN_META = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': CLIENT,
}

const STEPS: readonly ChainStep[] = [
  {
    what: 'initialize must be answered without a token',
    ask: (url) =>
      rpc(url, 'initialize', { protocolVersion: OLD, capabilities: {}, clientInfo: CLIENT }),
    holds: ({ status, text }) => status === 200 && resultIn(text)?.serverInfo !== undefined,
  },
  {
    what: 'tools/list must name the tools without a token',
    ask: (url) => rpc(url, 'tools/list', {}, { 'mcp-protocol-version': OLD }),
    holds: namesTools,
  },
  {
    what: `tools/list of ${MODERN} must name the tools`,
    ask: (url) =>
      rpc(
        url,
        'tools/list',
        { _meta: MODERN_META },
        { 'mcp-protocol-version': MODERN, 'mcp-method': 'tools/list' },
      ),
    holds: namesTools,
  },
  {
    what: 'a call without a token must be 401',
    ask: (url) => rpc(url, 'tools/call', { name: 'cancel_question', arguments: {} }),
    holds: ({ status }) => status === 401,
  },
  {
    what: 'a call of 64 KiB without a token must be 401',
    ask: (url) => rpc(url, 'tools/call', { name: 'cancel_question', arguments: { pad: PAD } }),
    holds: ({ status }) => status === 401,
  },
  {
    // Clients that get 401 here start looking for OAuth, or drop the server.
    what: 'GET must be 405',
    ask: (url) => probe(url, { headers: { accept: 'text/event-stream' } }),
    holds: ({ status }) => status === 405,
  },
]

// Clients take any other response there as a promise of OAuth; only /mcp offers the sign-in.
const WELL_KNOWN = ['oauth-protected-resource', 'oauth-authorization-server']

/** Checks the MCP address as clients of both eras see it before they have a token. */
export async function mcpCheck(
  link: Extract<Link, 'server' | 'address'>,
  origin: string,
): Promise<Check> {
  const name = link === 'server' ? 'MCP on this machine' : 'MCP at the base URL'
  const steps = [...STEPS, ...WELL_KNOWN.map((file) => absent(origin, file))]
  const broken = (await Promise.all(steps.map((step) => problem(step, origin + PATH)))).find(
    Boolean,
  )
  if (broken === undefined) {
    return passedCheck(
      link,
      name,
      'Clients of both protocols find the tools, and need a token to call.',
    )
  }
  const cure =
    link === 'server'
      ? 'Restart the server; the lines on storage and server may say more.'
      : 'Have the proxy pass on every method, header and status under / unchanged.'
  return failedCheck(link, name, `As clients see it, ${broken}.`, cure)
}

async function problem({ what, ask, holds }: ChainStep, url: string): Promise<string | undefined> {
  const answer = await ask(url)
  if (!answer.answered) return `${what}, but ${answer.why}`
  return holds(answer) ? undefined : `${what}, and it is ${answer.status}`
}

function absent(origin: string, file: string): ChainStep {
  return {
    what: `/.well-known/${file} must be 404 in JSON`,
    ask: () => probe(`${origin}/.well-known/${file}`),
    holds: ({ status, text }) => status === 404 && readJsonObject(text) !== undefined,
  }
}

function rpc(url: string, method: string, params: object, headers: Record<string, string> = {}) {
  return probe(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
}

function namesTools({ status, text }: { status: number; text: string }): boolean {
  const tools = resultIn(text)?.tools
  return status === 200 && Array.isArray(tools) && tools.length > 0
}

/** The result in a reply, sent as JSON or as the last event of a stream. */
function resultIn(text: string): Record<string, unknown> | undefined {
  const event = [...text.matchAll(/^data: (.*)$/gm)].at(-1)?.[1]
  const result = readJsonObject(event ?? text)?.result
  return result !== null && typeof result === 'object' ? { ...result } : undefined
}
