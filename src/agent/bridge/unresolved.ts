import { callIdOf } from '../../ask/wire/call-id.ts'
import { type Fields, isFields } from '../../platform/mcp/message.ts'
import { sha256 } from '../../platform/signing/sha256.ts'
import { calledTool } from '../own-tools.ts'

/**
 * Calls whose outcome is unknown. A repeated call gets the same key, so both are the same question.
 */
export type Unresolved = {
  /** `params`, with the key of the earlier call when this one repeats it. */
  resumed(original: Fields, params: Fields): Fields
  /** `params` was sent for `sent`, and the outcome is unknown; its question may be known. */
  keep(original: Fields, params: Fields, correlationId?: string): void
  /** The outcome of the call, or of the question, is known: the next call is a new question. */
  drop(original: Fields, ended?: string): void
}

// As long as a question can be answered. A later call with the same words is a new question, and must
// not get this one's answer.
const KEPT_MS = 10 * 60_000
const KEPT_MAX = 100

export function createUnresolved(now: () => number = () => performance.now()): Unresolved {
  const entries = new Map<
    string,
    { key: string; until: number; correlationId: string | undefined }
  >()

  return {
    resumed(original, params) {
      const print = printOf(original)
      const entry = print === undefined ? undefined : entries.get(print)
      return entry && entry.until > now() ? withKey(params, entry.key) : params
    },
    keep(original, params, correlationId) {
      const [print, key] = [printOf(original), keyOf(params)]
      if (print === undefined || key === undefined) return
      entries.delete(print)
      entries.set(print, { key, until: now() + KEPT_MS, correlationId })
      const [oldest] = entries.keys()
      if (entries.size > KEPT_MAX && oldest !== undefined) entries.delete(oldest)
    },
    drop(original, ended) {
      const print = printOf(original)
      if (print !== undefined) entries.delete(print)
      if (ended === undefined) return
      for (const [print, { correlationId }] of entries) {
        if (correlationId === ended) entries.delete(print)
      }
    },
  }
}

/**
 * Identifies the content of a call, however long it waits; undefined for a call that has no key or
 * brings its own.
 */
function printOf({ name, arguments: args }: Fields): string | undefined {
  if (!calledTool(name)?.key || !isFields(args)) return undefined
  if (args.requestId !== undefined || args.toolUseId !== undefined) return undefined
  const { timeoutMs, ...identity } = args
  const sorted = Object.entries(identity).sort(([one], [other]) => (one < other ? -1 : 1))
  return sha256(JSON.stringify([name, sorted]))
}

function keyOf({ arguments: args, _meta }: Fields): string | undefined {
  const requestId = isFields(args) ? args.requestId : undefined
  return typeof requestId === 'string' ? requestId : callIdOf(_meta)
}

/**
 * In the input if the tool has a field for it, otherwise in `_meta`, where clients name their
 * calls.
 */
function withKey(params: Fields, key: string): Fields {
  const { name, arguments: args, _meta } = params
  if (calledTool(name)?.key !== '_meta') {
    return { ...params, arguments: { ...(isFields(args) ? args : {}), requestId: key } }
  }
  const { 'claudecode/toolUseId': _, ...meta } = isFields(_meta) ? _meta : {}
  return { ...params, _meta: { ...meta, callId: key } }
}
