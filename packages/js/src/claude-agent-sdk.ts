import { reportOutcome } from './protect.ts'
import { takeStartedCall } from './reporting.ts'
import { askAbout, type EditingOptions, verdictOf } from './verdict.ts'

type Permission =
  | { behavior: 'allow'; updatedInput?: Record<string, unknown> }
  | { behavior: 'deny'; message: string }

/**
 * For `canUseTool` of the Claude Agent SDK: asks about each call that its rules neither allow nor
 * deny. The input stays as it is, but for what `edit` of the tool lets the person change. A yes holds
 * for this one call.
 */
export function canUseTool(options: EditingOptions = {}) {
  return async (
    tool: string,
    input: Record<string, unknown>,
    { signal }: { signal: AbortSignal },
  ): Promise<Permission> => {
    const request = await askAbout(tool, input, undefined, { ...options, signal }, true)
    if (signal.aborted) return { behavior: 'deny', message: 'This call was given up.' }
    const verdict = await verdictOf(request)
    if (!verdict.approved) return { behavior: 'deny', message: verdict.reason }
    return { behavior: 'allow', ...(verdict.args ? { updatedInput: verdict.args } : {}) }
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
