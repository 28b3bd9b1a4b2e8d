import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { Failure } from '../../platform/failure.ts'
import type { GuardedFetch } from '../../platform/outgoing/guarded-fetch.ts'
import type { CallContext } from '../accounts/model/agent.ts'
import { auditStamp } from '../audit/model/audit.ts'
import { recordChange } from '../audit/model/store.ts'
import type { GateServer, GateServerReply } from '../wire/gate-fields.ts'
import { gateUrl } from '../wire/gate-url.ts'
import { holdToUpstreams, readUpstream, secretFor } from './change-upstreams.ts'
import { headersForUpstream } from './http/headers.ts'
import type { Upstream } from './model/upstream.ts'
import { findUpstream, saveUpstream } from './model/upstream-store.ts'
import { serverLine } from './server-line.ts'

export type RegisterDeps = {
  db: Db
  clock: Clock
  baseUrl: string
  outside: Pick<GuardedFetch, 'open' | 'refusal'>
}

/** Without an answer in this time a server cannot be used. */
const ANSWER_MS = 15_000

/**
 * Stores a server over HTTP whose entry an agent's machine had, once it has answered. A gate of that
 * name for another server stays as it is, and only the token that registered a server changes its
 * secret. Throws `conflict`, `invalid_input`, `limit_reached`.
 */
export async function registerUpstream(
  deps: RegisterDeps,
  name: string,
  { url: address, headerName: header = '', secret = '' }: GateServer,
  { caller, signal }: CallContext,
): Promise<GateServerReply> {
  const { db, clock, outside, baseUrl } = deps
  const { workspaceId, tokenId } = caller
  const at = clock.now()
  const { url, headerName } = readUpstream(outside, { name, url: address, headerName: header })
  const headerValue = secretFor(secret, { url, headerName }, undefined)
  const upstream = { workspaceId, name, url, headerName, headerValue, tokenId, changedAt: at }
  // Before the server gets its secret.
  stateOf(upstream, await findUpstream(db.read, workspaceId, name))
  await mustAnswer(deps, upstream, signal)
  const stamp = auditStamp(at)
  const state = await db.write(async (tx) => {
    await tx.lock(`upstreams ${workspaceId}`)
    const before = await findUpstream(tx, workspaceId, name)
    const now = stateOf(upstream, before)
    if (now === 'same') return now
    if (!before) await holdToUpstreams(tx, workspaceId)
    await saveUpstream(tx, upstream)
    await recordChange(tx, stamp, {
      ...{ workspaceId, kind: 'gate.changed', tokenId, subjectId: name, subjectName: name },
      detail: `over HTTP, to ${serverLine(url)}, by an agent’s machine`,
    })
    return now
  })
  return { url: gateUrl(baseUrl, name), state }
}

/** What registering does to the gate of the name. Throws `conflict` if it is for something else. */
function stateOf(upstream: Upstream, before: Upstream | undefined): GateServerReply['state'] {
  if (!before) return 'new'
  const { name, url, headerName, headerValue, tokenId } = upstream
  if (before.url !== url)
    throw new Failure(
      'conflict',
      `The gate ${name} is there already, for another server (${serverLine(before.url)}). Rename the entry, or an owner changes the gate under Settings, Gates.`,
    )
  const hasSameHeader = before.headerName?.toLowerCase() === headerName?.toLowerCase()
  if (before.tokenId === tokenId)
    return hasSameHeader && before.headerValue === headerValue ? 'same' : 'changed'
  if (hasSameHeader) return 'same'
  throw new Failure(
    'conflict',
    `The gate ${name} is there already, with ${before.headerName === undefined ? 'no secret' : `its secret in ${before.headerName}`}. An owner changes it under Settings, Gates.`,
  )
}

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 'beckon-register',
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'beckon-gate', version: '1' },
  },
}

/** Throws `conflict` if the server does not answer with what the gate would send. */
async function mustAnswer(
  { outside, clock }: RegisterDeps,
  upstream: Upstream,
  signal: CallContext['signal'],
): Promise<void> {
  const { url } = upstream
  const over = new AbortController()
  const stop = { handleEvent: () => over.abort() }
  const forget = clock.after(ANSWER_MS, stop.handleEvent)
  signal.addEventListener('abort', stop, { once: true })
  const headers = new Headers({
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  })
  const common = { coding: 'identity', signal: over.signal } as const
  try {
    const result = await outside.open(url, {
      ...{ method: 'POST', headers: headersForUpstream(headers, upstream), ...common },
      body: new Uint8Array(Buffer.from(JSON.stringify(INITIALIZE))),
    })
    if (result.outcome !== 'answered') {
      const why = result.outcome === 'aborted' ? 'It does not answer.' : result.reason
      throw unusable(upstream, `cannot be reached from Beckon’s server: ${why}`)
    }
    const { response } = result
    await response.body?.cancel()
    const why = whyUnusable(response)
    if (why !== undefined) throw unusable(upstream, why)
    const session = response.headers.get(SESSION)
    if (session === null) return
    headers.set(SESSION, session)
    const ended = await outside.open(url, {
      ...{ method: 'DELETE', headers: headersForUpstream(headers, upstream), ...common },
    })
    if (ended.outcome === 'answered') await ended.response.body?.cancel()
  } finally {
    forget()
    signal.removeEventListener('abort', stop)
  }
}

const SESSION = 'mcp-session-id'

function whyUnusable({ status }: Response): string | undefined {
  // A server of the newer era alone refuses the handshake with 400.
  if (status < 300 || status === 400) return undefined
  if (status === 401 || status === 403)
    return `wants a sign-in of its client, or another secret (HTTP ${status}), so it has no gate.`
  if (status < 400) return `is at another address now (HTTP ${status}).`
  return `does not answer as Streamable HTTP does (HTTP ${status}).`
}

function unusable({ name }: Upstream, why: string): Failure {
  return new Failure('conflict', `The server ${name} ${why} Nothing was stored.`)
}
