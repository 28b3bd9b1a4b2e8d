import type { TokenId, WorkspaceId } from '../../../platform/ids.ts'

/** Who a token speaks for. */
export type Agent = {
  tokenId: TokenId
  tokenName: string
  workspaceId: WorkspaceId
  /** A test token: all its traffic is `env: test`. */
  test: boolean
}

/** One authorised call: the agent, and what the connection says of itself. */
export type Caller = Agent & {
  /**
   * The tool client's name (clientInfo or User-Agent), for display only; the token's name for
   * commands of this program.
   */
  client: string | undefined
  /** `X-Service-Env: test` on the connection (QS-WHAT-7). */
  testConnection: boolean
  /** The request's arrival; waits count from here. */
  arrivedAt: number
}

// `beckon ask` and its like, and the bridge: their names say nothing about who asks, the token's does.
const OWN_COMMANDS = /^beckon(-mcp)?(\/|$)/

/** The agent as this connection shows it, whichever face it came to. */
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
