import type { TokenId, WorkspaceId } from '../../../platform/ids.ts'

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

/** The caller of a request, over MCP or REST. */
export function callerOf(
  agent: Agent,
  headers: Headers,
  client: string | undefined,
  arrivedAt: number,
): Caller {
  const testConnection = headers.get('x-service-env')?.trim().toLowerCase() === 'test'
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
  signal: AbortSignal
}
