import { type Fields, isFields } from '../../platform/mcp/message.ts'
import { calledTool } from '../own-tools.ts'
import { callIdOf } from './enrich.ts'

/**
 * Calls whose outcome is unknown. A repeated call gets the same key, so both are the same question.
 */
export type Unresolved = {
  /** `params`, with the key of the earlier call when this one repeats it. */
  resumed(sent: Fields, params: Fields): Fields
  /** `params` was sent for `sent`, and the outcome is unknown; its question may be known. */
  keep(sent: Fields, params: Fields, correlationId?: string): void
  /** The outcome of the call, or of the question, is known: the next call is a new question. */
  drop(sent: Fields, ended?: string): void
}

// As long as a question can be answered. A later call with the same words is a new question, and must
// not get this one's answer.
const KEPT_MS = 10 * 60_000
const KEPT_MAX = 100

export function createUnresolved(now: () => number = () => performance.now()): Unresolved {
  const kept = new Map<string, { key: string; until: number; correlationId: string | undefined }>()

  return {
    resumed(sent, params) {
      const print = printOf(sent)
      const found = print === undefined ? undefined : kept.get(print)
      return found && found.until > now() ? withKey(params, found.key) : params
    },
    keep(sent, params, correlationId) {
      const [print, key] = [printOf(sent), keyOf(params)]
      if (print === undefined || key === undefined) return
      kept.delete(print)
      kept.set(print, { key, until: now() + KEPT_MS, correlationId })
      const [oldest] = kept.keys()
      if (kept.size > KEPT_MAX && oldest !== undefined) kept.delete(oldest)
    },
    drop(sent, ended) {
      const print = printOf(sent)
      if (print !== undefined) kept.delete(print)
      if (ended === undefined) return
      for (const [print, { correlationId }] of kept) {
        if (correlationId === ended) kept.delete(print)
      }
    },
  }
}

/**
 * What the call asks, however long it waits; undefined for a call that has no key or brings its
 * own.
 */
function printOf({ name, arguments: args }: Fields): string | undefined {
  if (!calledTool(name)?.key || !isFields(args)) return undefined
  if (args.requestId !== undefined || args.toolUseId !== undefined) return undefined
  const { timeoutMs, ...asked } = args
  const sorted = Object.entries(asked).sort(([one], [other]) => (one < other ? -1 : 1))
  return Bun.CryptoHasher.hash('sha256', JSON.stringify([name, sorted]), 'hex')
}

function keyOf({ arguments: args, _meta }: Fields): string | undefined {
  const given = isFields(args) ? args.requestId : undefined
  return typeof given === 'string' ? given : callIdOf(_meta)
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
