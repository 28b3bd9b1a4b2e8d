import { type WrongField, wrongFields } from '../../../platform/failure.ts'
import { type Id, randomText } from '../../../platform/ids.ts'
import { wrongName } from '../../../platform/wrong-name.ts'
import type { PersonId, TokenId, WorkspaceId } from './ids.ts'

/** The agent that a token stands for. */
export type Agent = {
  tokenId: TokenId
  tokenName: string
  workspaceId: WorkspaceId
  /** A test token: all its traffic is `env: test`. */
  test: boolean
  /** For a client that a person allowed: what it may do; a token may do everything. */
  scopes?: readonly string[]
}

/** One authorised call: the agent, and what its connection says about it. */
export type Caller = Agent & {
  /**
   * The tool client's name (clientInfo or User-Agent), for display only; for this program's own
   * commands, the token's name.
   */
  client: string | undefined
  /** `X-Service-Env: test` on the connection (QS-WHAT-7). */
  testConnection: boolean
  /** When the request arrived; waits count from here. */
  arrivedAt: number
}

// The names of `beckon ask`, similar commands and the bridge say nothing about who asks; the
// token's name does.
const OWN_COMMANDS = /^beckon(-mcp)?(\/|$)/

/** Refuses an `X-Service-Env` that is not `test`: its caller believes that nothing is delivered. */
export function checkServiceEnv(headers: Headers): void {
  const env = envOf(headers)
  if (env === undefined || env === '' || env === 'test') return
  throw wrongFields([{ field: 'X-Service-Env', must: 'must be "test"' }])
}

function envOf(headers: Headers): string | undefined {
  return headers.get('x-service-env')?.trim().toLowerCase()
}

/** The caller of a request, over MCP or REST. */
export function callerOf(
  agent: Agent,
  headers: Headers,
  client: string | undefined,
  arrivedAt: number,
): Caller {
  const testConnection = envOf(headers) === 'test'
  const isOwn = client !== undefined && OWN_COMMANDS.test(client)
  return { ...agent, client: isOwn ? agent.tokenName : client, testConnection, arrivedAt }
}

/** How far a waiting call is; shown to the person who watches the agent. */
export type Progress = {
  /** Milliseconds waited so far, and in total. */
  waitedMs: number
  totalMs: number
  message: string
  /**
   * The question that is waited for: a caller that loses this call can ask for the answer by this
   * id.
   */
  correlationId?: string
}

export type HangUpListener = { handleEvent(): void }

/**
 * The part of an `AbortSignal` that a call needs; an `AbortSignal` also fits. Thousands are held at
 * once, and a whole signal each would take a kilobyte.
 */
export type HangUp = {
  readonly aborted: boolean
  addEventListener(type: 'abort', listener: HangUpListener, options: { once: true }): void
  removeEventListener(type: 'abort', listener: HangUpListener): void
}

/** One tool call as use cases see it, over MCP or REST. */
export type CallContext = {
  caller: Caller
  /** The client's own name for this call, the same on each retry of it. */
  id?: string | undefined
  /** Reports how far a long call is; does nothing if the caller did not ask for progress. */
  talk(progress: Progress): void
  /** The caller can follow this call as a task, if its answer takes longer than the call may. */
  follows?: boolean
  /**
   * How long the client waits for this reply, in milliseconds, if it said so and accepts a stream.
   */
  clientWaitsMs?: number | undefined
  /** Aborts when the caller hangs up: frees the wait, never ends the question. */
  signal: HangUp
}

/** The agreement of a person when they allowed a client. */
export type Connection = {
  /** The host that the client is known by; null for one that only says a name. */
  host: string | null
  /** Where sign-ins lead back to: a host, or the scheme of an app. */
  returnsTo: string
  /** The permissions of the client. */
  scopes: string[]
  /** The client as it was then: after a change people are asked again. */
  agreedTo: string
}

/** An agent token as it may be shown: everything but the token itself. */
export type AgentToken = {
  id: TokenId
  workspaceId: WorkspaceId
  name: string
  /** The last four characters, to tell tokens apart. */
  tail: string
  test: boolean
  createdAt: number
  /** Whose it is, a person or a group; both null: the server does not know. */
  createdBy: PersonId | null
  ownerGroup: Id<'group'> | null
  revokedAt: number | null
  /** When its owner was switched off: it is refused until they are switched on. */
  offAt: number | null
  lastUsedAt: number | null
  lastUsedFrom: string | null
  lastUsedClient: string | null
  /** Set for a client that a person allowed by signing in. */
  clientId: string | null
  connection: Connection | null
}

/** Whose a token is: one person's, or a group's for a service that belongs to nobody alone. */
export type Ownership = Pick<AgentToken, 'createdBy' | 'ownerGroup'>

/** The id of the person or the group that owns a token; undefined: nobody does. */
export function ownerOf({ createdBy, ownerGroup }: Ownership): PersonId | Id<'group'> | undefined {
  return createdBy ?? ownerGroup ?? undefined
}

/** The name of the token of the questions that people ask themselves; nobody has its secret. */
export const OWN_QUESTIONS = 'Ask me something now'
/** The name of the token in whose name people are told of the catalog; nobody has its secret. */
export const OWN_WATCHES = 'Catalog watches'

type OwnToken = Pick<AgentToken, 'name' | 'createdBy' | 'lastUsedAt'>

/** No agent has this token: it stands for what its maker is sent without one. */
export function isForNobody({ name, createdBy, lastUsedAt }: OwnToken): boolean {
  const isOwn = name === OWN_QUESTIONS || name === OWN_WATCHES
  return isOwn && createdBy !== null && lastUsedAt === null
}

/** True for the token that stands for the questions that its maker asks themselves. */
export function isForOwnQuestions(token: OwnToken): boolean {
  return token.name === OWN_QUESTIONS && isForNobody(token)
}

// 200 random bits cannot be guessed, so a plain hash is enough.
const RANDOM_CHARS = 40
const TAIL_CHARS = 4
const NAME_MAX = 100
const TOKEN = /^bk_[0-9A-Za-z]{32,128}$/

/** A new token; it is shown once and only its hash is kept. */
export function makeToken(): { token: string; hash: string; tail: string } {
  const token = `bk_${randomText(RANDOM_CHARS)}`
  return { token, hash: hashToken(token), tail: token.slice(-TAIL_CHARS) }
}

/** SHA-256, hex: how a token or a one-time key is stored. */
export function hashToken(token: string): string {
  return Bun.CryptoHasher.hash('sha256', token, 'hex')
}

export function looksLikeToken(text: string): boolean {
  return TOKEN.test(text)
}

/**
 * Returns true if a text, such as an address, contains a token or a secret of a sign-in anywhere.
 */
export function holdsToken(text: string): boolean {
  return /bk(at|rt|ac|cs)?_[0-9A-Za-z]{32}/.test(text)
}

export function wrongTokenName(name: string): WrongField[] {
  return wrongName(name, NAME_MAX)
}
