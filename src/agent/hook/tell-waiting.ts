import type { HookContext } from './context.ts'
import { whereOf } from './refresh.ts'
import { placeOf, targetOf, toolNameOf } from './relay-approval.ts'
import { showCall } from './relay-body.ts'
import { callHook } from './server.ts'
import { sha256 } from './state.ts'
import { SILENT, type Verdict } from './tool-call.ts'

// The client may wait for this hook before it shows its prompt.
const TELL_MS = 2_500

/**
 * A person hears what the client asks at its terminal, where alone it can be answered. Two hooks
 * that are told of the same prompt tell it once. Says nothing to the client, and never throws.
 */
export async function tellWaiting(context: HookContext): Promise<Verdict> {
  const { service, call, signal } = context
  const { sessionId } = call
  if (!service || sessionId === undefined || call.headless) return SILENT
  try {
    const place = placeOf(call)
    const { repoKey, agentName, cwd } = whereOf(context)
    const ask = {
      ...showCall(call, place?.name),
      toolName: toolNameOf(call),
      ...targetOf(call, place?.name),
      ...(place?.toolPath === undefined ? {} : { toolPath: place.toolPath }),
      requestId: promptId(call),
    }
    const request = { event: 'waiting', sessionId, repoKey, agentName, cwd, ask } as const
    await callHook(service, call.client, request, { ms: TELL_MS, signal })
  } catch {
    // The prompt stands at the terminal all the same.
  }
  return SILENT
}

/** The same prompt has the same name, whichever hook reports it; another run of it has another. */
function promptId({ sessionId, occurredAt, message }: HookContext['call']): string {
  const when = occurredAt ?? crypto.randomUUID()
  return `prompt-${sha256(JSON.stringify([sessionId, when, message])).slice(0, 32)}`
}
