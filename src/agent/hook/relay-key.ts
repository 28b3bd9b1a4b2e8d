import type { HookCall } from '../calls/tool-call.ts'
import { type HookContext, sessionOf } from '../session/context.ts'
import type { HookAsk } from '../session/server.ts'
import { callDigest, takeCall } from './spool.ts'

// For a call without a known id: all that one run of the hook asks is one question.
const RUN_ID = crypto.randomUUID()

/** The id of the call, which the client gave to the hook before the tool but not to this one. */
export function idOfCall(context: HookContext): string | undefined {
  const { toolUseId, toolName, toolInput } = context.call
  const place = sessionOf(context)
  if (toolUseId !== undefined || !place || toolName === undefined) return toolUseId
  try {
    return takeCall(place, { toolName, toolInput }, Date.now())
  } catch {
    // Input that cannot be compared gets a question of its own.
    return undefined
  }
}

/**
 * Different questions about one call must not be taken for one, so `at` numbers them. The id of the
 * call comes with a digest of the call, because what a person reads of it may be cut.
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
