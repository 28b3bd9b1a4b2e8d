import type { CallContext } from '../accounts/model/agent.ts'
import { type AskDeps, askAndWait } from '../questions/ask-and-wait.ts'
import { readAsk } from '../questions/model/read-ask.ts'
import type { HookReport } from '../wire/hook-fields.ts'
import { askOf } from './check-tool-call.ts'

/**
 * Tells the person that a client waits for them at its own terminal, once for each `requestId`.
 * Whatever the policy's mode, it can only be answered there. Throws `invalid_input`, `unavailable`.
 */
export async function notifyWaiting(
  deps: AskDeps,
  report: HookReport,
  call: CallContext,
): Promise<void> {
  const asked = readAsk(askOf(report), call.caller)
  const detail = { ...asked.detail, atTerminal: true as const }
  await askAndWait(deps, { ...asked, detail }, { wait: false, timeoutMs: report.timeoutMs }, call)
}
