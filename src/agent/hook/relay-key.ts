import { type HookContext, sessionOf } from './context.ts'
import type { HookAsk } from './server.ts'
import { callDigest, takeCall } from './spool.ts'
import type { HookCall } from './tool-call.ts'

// For a call without a known id: one run of the hook is one question, however often it asks.
const RUN_ID = crypto.randomUUID()

/** The id of the call, which the hook before the tool was told and this one is not. */
export function idOfCall(context: HookContext): string | undefined {
  const { toolUseId, toolName, toolInput } = context.call
  const place = sessionOf(context)
  if (toolUseId !== undefined || !place || toolName === undefined) return toolUseId
  try {
    return takeCall(place, { toolName, toolInput }, Date.now())
  } catch {
    // What cannot be compared has a question of its own.
    return undefined
  }
}

/**
 * Different questions about one call must not be taken for one: `at` numbers them. Beside the id of
 * the call stands what tells it from every other, as what a person reads of it may be cut.
 */
export function keyOf(
  { toolName = '', toolInput }: Pick<HookCall, 'toolName' | 'toolInput'>,
  toolUseId: string | undefined,
  at?: number,
): Pick<HookAsk, 'toolUseId' | 'requestId'> {
  const more = at === undefined ? '' : `#${at}`
  if (toolUseId === undefined) return { requestId: `${RUN_ID}${more}` }
  return { toolUseId: `${toolUseId}${more}`, requestId: callDigest(toolName, toolInput) }
}
