import { type HookContext, sessionOf } from './context.ts'
import type { HookAsk } from './server.ts'
import { takeCall } from './spool.ts'

// Of a call whose id nobody knows: one run of the hook is one question, whatever it asks for again.
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

/** Different questions about one call must not be taken for one: `at` numbers them (spec: Rules, 6). */
export function keyOf(
  toolUseId: string | undefined,
  at?: number,
): Pick<HookAsk, 'toolUseId' | 'requestId'> {
  const more = at === undefined ? '' : `#${at}`
  return toolUseId === undefined
    ? { requestId: `${RUN_ID}${more}` }
    : { toolUseId: `${toolUseId}${more}` }
}
