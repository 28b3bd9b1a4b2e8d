import { type AdapterOptions, verdictOn } from './verdict.ts'

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
    const verdict = await verdictOn(tool, input, undefined, { ...options, signal })
    return verdict.approved ? { behavior: 'allow' } : { behavior: 'deny', message: verdict.reason }
  }
}
