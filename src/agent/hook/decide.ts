import type { HookContext } from './context.ts'
import { mayBeAtStake } from './guard-filter.ts'
import { SILENT, type Verdict } from './tool-call.ts'

/** What the hook has to say to one event; each job is loaded only for its own. */
export async function decide(context: HookContext): Promise<Verdict> {
  switch (context.call.event) {
    case 'session_start':
      return await (await import('./session.ts')).sessionStart(context)
    case 'prompt':
      return await alsoWithdrawing(context, (await import('./session.ts')).prompted)
    case 'waiting':
      return await (await import('./tell-waiting.ts')).tellWaiting(context)
    case 'permission':
      return await (await import('./relay.ts')).relay(context)
    case 'before_tool':
      return await beforeTool(context)
    case 'after_tool':
    case 'tool_failed':
      return await alsoWithdrawing(context, afterTool)
    case 'stop':
      return await alsoWithdrawing(context, lookBack)
    case 'session_end':
      return await alsoWithdrawing(context, (await import('./session.ts')).sessionEnd)
    default:
      return SILENT
  }
}

async function afterTool(context: HookContext): Promise<Verdict> {
  const verdict = await (await import('./session.ts')).afterTool(context)
  return verdict.is === 'silent' ? await lookBack(context) : verdict
}

/** What changed that no call of a tool named. */
async function lookBack(context: HookContext): Promise<Verdict> {
  return await (await import('./backstop.ts')).lookBack(context)
}

/** The client went on: what the phone was asked about is decided. */
async function alsoWithdrawing(
  context: HookContext,
  job: (context: HookContext) => Verdict | Promise<Verdict>,
): Promise<Verdict> {
  if (!context.client.relays) return await job(context)
  const { withdrawAnswered } = await import('./relay-open.ts')
  const [verdict] = await Promise.all([job(context), withdrawAnswered(context)])
  return verdict
}

async function beforeTool(context: HookContext): Promise<Verdict> {
  const verdict = await beforeToolRuns(context)
  // Also after a question: the prompt that follows is about the same call.
  if (verdict.is !== 'deny') await remember(context)
  return verdict
}

async function beforeToolRuns(context: HookContext): Promise<Verdict> {
  const { gate } = await import('./gate.ts')
  if (!mayBeAtStake(context.call)) return await gate(context)
  const { refuseOwnCommand, refuseOwnFile } = await import('./guard.ts')
  const refused = await refuseOwnCommand(context)
  if (refused) return refused
  const verdict = await gate(context)
  if (verdict.is !== 'silent') return verdict
  const own = await refuseOwnFile(context)
  if (own) return own
  return await (await import('./at-stake.ts')).askAtStake(context)
}

/** The client's own prompt for this call comes without its id. */
async function remember({ client, service, call, state }: HookContext): Promise<void> {
  const { sessionId, toolName, toolInput, toolUseId } = call
  if (!client.relays || !service || !sessionId || !toolName || !toolUseId) return
  const { putCall } = await import('./spool.ts')
  const place = { state, client: call.client, sessionId }
  putCall(place, { toolName, toolInput, toolUseId }, Date.now())
}
