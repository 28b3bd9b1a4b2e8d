import type { HookContext } from './context.ts'
import { SILENT, type Verdict } from './tool-call.ts'

/** What the hook has to say to one event; each job is loaded only for its own. */
export async function decide(context: HookContext): Promise<Verdict> {
  switch (context.call.event) {
    case 'session_start':
      return await (await import('./session.ts')).sessionStart(context)
    case 'prompt':
      return (await import('./session.ts')).prompted(context)
    case 'before_tool':
      return await beforeTool(context)
    case 'after_tool':
    case 'tool_failed':
      return await (await import('./session.ts')).afterTool(context)
    case 'session_end':
      return (await import('./session.ts')).sessionEnd(context)
    default:
      return SILENT
  }
}

async function beforeTool(context: HookContext): Promise<Verdict> {
  const { gate } = await import('./gate.ts')
  const verdict = await gate(context)
  if (verdict.is === 'silent') await remember(context)
  return verdict
}

/** The client's own prompt for this call comes without its id. */
async function remember({ client, service, call, state }: HookContext): Promise<void> {
  const { sessionId, toolName, toolInput, toolUseId } = call
  if (!client.relays || !service || !sessionId || !toolName || !toolUseId) return
  const { putCall } = await import('./spool.ts')
  const place = { state, client: call.client, sessionId }
  putCall(place, { toolName, toolInput, toolUseId }, Date.now())
}
