import { reportOutcome } from './protect.ts'
import { takeStartedCall } from './reporting.ts'
import { type AdapterOptions, askAbout, verdictOf } from './verdict.ts'

type Permission = { behavior: 'allow' } | { behavior: 'deny'; message: string }

/**
 * For `canUseTool` of the Claude Agent SDK: asks about each call that its rules neither allow nor
 * deny, with the input as it is. A yes holds for this one call.
 */
export function canUseTool(options: AdapterOptions = {}) {
  return async (
    tool: string,
    input: Record<string, unknown>,
    { signal }: { signal: AbortSignal },
  ): Promise<Permission> => {
    const request = await askAbout(tool, input, undefined, { ...options, signal })
    if (signal.aborted) return { behavior: 'deny', message: 'This call was given up.' }
    const verdict = await verdictOf(request)
    return verdict.approved ? { behavior: 'allow' } : { behavior: 'deny', message: verdict.reason }
  }
}

type Ended = { tool_name?: string; tool_input?: unknown; error?: string }

/** For `hooks` beside `canUseTool`: reports how each call ended that a person approved. */
export function outcomeHooks() {
  const hook = (outcome: 'succeeded' | 'failed') => async (input: object) => {
    const { tool_name: tool = '', tool_input: args, error } = input as Ended
    const one = await takeStartedCall(tool, args)
    if (one) void reportOutcome(one.server, one.permit, outcome, error)
    return {}
  }
  return {
    PostToolUse: [{ hooks: [hook('succeeded')] }],
    PostToolUseFailure: [{ hooks: [hook('failed')] }],
  }
}
