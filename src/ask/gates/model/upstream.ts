import type { TokenId, WorkspaceId } from '../../accounts/model/ids.ts'

/** An MCP server that a gate of this server reaches over HTTP. */
export type Upstream = {
  workspaceId: WorkspaceId
  /** The name of the gate. */
  name: string
  url: string
  /** The header that each request to it has. Its value is a secret. */
  headerName: string | undefined
  headerValue: string | undefined
  /** The token whose agent registered it; undefined if an owner entered it. */
  tokenId: TokenId | undefined
  changedAt: number
}

/** What people are shown of it. */
export type ShownUpstream = Omit<Upstream, 'headerValue'>
