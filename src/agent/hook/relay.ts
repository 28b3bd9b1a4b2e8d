import type { HookContext } from './context.ts'
import { OUR_TOOLS } from './read-tool.ts'
import { SILENT, type Verdict } from './tool-call.ts'

/**
 * What the client would ask at its terminal, asked on the phone. Silent on any trouble, so that the
 * client's own prompt decides.
 */
export async function relay(context: HookContext): Promise<Verdict> {
  const { client, call, service, cut } = context
  const { toolName } = call
  // Of a call that was cut nobody can see what they would agree to.
  if (!client.relays || !service || cut || toolName === undefined) return SILENT
  if (client.isOurTool?.(call)) return { is: 'allow' }
  // They ask for themselves, and the answer to one question must not be taken for that to another.
  if (OUR_TOOLS.test(toolName) || context.ownToolsOnly) return SILENT
  try {
    return await relayed(context, toolName)
  } catch {
    return SILENT
  }
}

async function relayed(context: HookContext, toolName: string): Promise<Verdict> {
  if (toolName === 'AskUserQuestion' || context.call.questions !== undefined) {
    return await (await import('./relay-questions.ts')).relayQuestions(context)
  }
  if (toolName === 'ExitPlanMode') {
    return await (await import('./relay-plan.ts')).relayPlan(context)
  }
  return await (await import('./relay-approval.ts')).relayApproval(context)
}
