import { toolCallHash } from '../../ask/wire/tool-fingerprint.ts'
import { sha256 } from '../../platform/signing/sha256.ts'
import type { HookCall } from '../calls/tool-call.ts'
import type { HookContext, Service } from './context.ts'
import { callApi } from './server.ts'

/**
 * The digest of tool and arguments as the client sent them, including secrets that a person was not
 * shown. Only for calls that can be shown (`isShowable`).
 */
export function actionHashOf({ toolName = '', toolInput }: HookCall): string {
  const call = { tool: toolName, arguments: toolInput ?? null }
  try {
    return toolCallHash(call)
  } catch {
    return sha256(JSON.stringify(call))
  }
}

// Each request is short; a server that does not answer decides nothing.
const CALL_MS = 5_000

/**
 * Uses up the yes to a question for this one call, right before it may run. Resolves to the id of
 * its permit; undefined if another call has used it, or if the server cannot be reached in time or
 * is too old for permits: then it counts as not answered. Never throws.
 */
export async function usePermit(
  { left }: Pick<HookContext, 'left'>,
  service: Service,
  { id, actionHash }: { id: string; actionHash: string },
): Promise<string | undefined> {
  const post = (path: string) =>
    callApi(service, path, { actionHash }, { ms: Math.min(CALL_MS, left()) })
  const question = `/questions/${encodeURIComponent(id)}/permit`
  const first = await post(question)
  // A retry gets the same permit; a use whose reply was lost is not repeated.
  const issued = first.ok || !first.passing ? first : await post(question)
  if (!issued.ok) return undefined
  const { permitId } = issued.value as { permitId?: unknown }
  if (typeof permitId !== 'string') return undefined
  const used = await post(`/permits/${encodeURIComponent(permitId)}/consume`)
  return used.ok ? permitId : undefined
}
