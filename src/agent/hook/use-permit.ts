import canonicalize from 'canonicalize'
import type { HookContext, Service } from './context.ts'
import { callApi } from './server.ts'
import { sha256 } from './state.ts'
import type { HookCall } from './tool-call.ts'

/**
 * The digest of tool and arguments as the client sent them: secrets that a person was not shown are
 * part of it. Only for what can be shown (`isShowable`).
 */
export function actionHashOf({ toolName = '', toolInput }: HookCall): string {
  const call = { tool: toolName, arguments: toolInput ?? null }
  try {
    return sha256(canonicalize(call) ?? '')
  } catch {
    return sha256(JSON.stringify(call))
  }
}

// Each call is a short one; a server that does not answer decides nothing.
const CALL_MS = 5_000

/**
 * Uses the yes to a question up for this one call, right before it is let run: the id of its permit.
 * Undefined if another call has, if the server cannot be reached in time or is too old to know: then
 * nobody said yes. Never throws.
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
  // The same permit comes again for a retry; a use that was lost on the way is not tried again.
  const issued = first.ok || !first.passing ? first : await post(question)
  if (!issued.ok) return undefined
  const { permitId } = issued.value as { permitId?: unknown }
  if (typeof permitId !== 'string') return undefined
  const used = await post(`/permits/${encodeURIComponent(permitId)}/consume`)
  return used.ok ? permitId : undefined
}
