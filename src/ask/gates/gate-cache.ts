import type { Clock } from '../../platform/clock.ts'
import { createTtlCache } from '../../platform/db/change-bus.ts'
import type { Db } from '../../platform/db/database.ts'
import { sha256 } from '../../platform/signing/sha256.ts'
import type { WorkspaceId } from '../accounts/model/ids.ts'
import type { Gate, GateTool } from './model/gate.ts'
import { findGate, findGateTool } from './model/store.ts'
import type { Upstream } from './model/upstream.ts'
import { findUpstream } from './model/upstream-store.ts'

type ToolKey = {
  workspaceId: WorkspaceId
  /** The name of the gate, and what identifies the server behind it. */
  gate: string
  server: string
  tool: string
}

/** What each call over HTTP reads: read once a second at most, and again after any change of it. */
export type GateCache = Disposable & {
  upstream(workspaceId: WorkspaceId, name: string): Promise<Upstream | undefined>
  tool(key: ToolKey): Promise<{ gate: Gate; tool: GateTool } | undefined>
}

export function createGateCache({ db, clock }: { db: Db; clock: Clock }): GateCache {
  const { read, changes } = db
  const isThere = (value: unknown) => value !== undefined
  const upstreams = createTtlCache(
    { changes, clock },
    'gate',
    (key) => findUpstream(read, ...(JSON.parse(key) as [WorkspaceId, string])),
    isThere,
  )
  const tools = createTtlCache(
    { changes, clock },
    'gate',
    async (key) => {
      const { workspaceId, gate: name, server, tool: toolName }: ToolKey = JSON.parse(key)
      const gate = await findGate(read, { workspaceId, name, serverHash: sha256(server) })
      const tool = gate && (await findGateTool(read, gate.id, toolName))
      return tool && { gate, tool }
    },
    isThere,
  )
  return {
    upstream: (workspaceId, name) => upstreams.of(JSON.stringify([workspaceId, name])),
    tool: ({ workspaceId, gate, server, tool }) =>
      tools.of(JSON.stringify({ workspaceId, gate, server, tool })),
    [Symbol.dispose]() {
      upstreams[Symbol.dispose]()
      tools[Symbol.dispose]()
    },
  }
}
