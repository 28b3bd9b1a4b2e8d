import { META, MODERN_VERSIONS } from './era.ts'
import { type RequestId, readyReply, replyText } from './message.ts'
import type { ServerInfo } from './old-era.ts'
import { TASKS } from './tasks.ts'

/** The era without a handshake (2026-07-28): three methods, two of them with prepared texts. */
export type ModernEra = {
  discover(id: RequestId): string
  list(id: RequestId): Blob
  /** `result` may set its own `resultType`, and more in `_meta`. */
  call(id: RequestId, result: { _meta?: object }): string
}

// The tools only change with the program, and five minutes after an update every client knows them.
const CACHED = { ttlMs: 300_000, cacheScope: 'public' } as const

export function createModernEra(offer: {
  info: ServerInfo
  listed: readonly object[]
  instructions: string
  tasks?: unknown
}): ModernEra {
  const _meta = { [META.serverInfo]: offer.info }
  const complete = { resultType: 'complete', _meta }
  const tools = JSON.stringify({ ...complete, ...CACHED, tools: offer.listed })
  const discovery = JSON.stringify({
    ...complete,
    ...CACHED,
    supportedVersions: MODERN_VERSIONS,
    capabilities: { tools: {}, ...(offer.tasks ? { extensions: { [TASKS]: {} } } : {}) },
    instructions: offer.instructions,
  })
  return {
    discover: (id) => replyText(id, discovery),
    list: readyReply(tools),
    call(id, result) {
      const meta = result._meta ? { _meta: { ..._meta, ...result._meta } } : {}
      return replyText(id, JSON.stringify({ ...complete, ...result, ...meta }))
    },
  }
}
