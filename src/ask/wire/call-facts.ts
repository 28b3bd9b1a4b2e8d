import { cleanLine, cutText } from '../../platform/text.ts'
import { redactedLine } from './action-line.ts'
import type { CallFacts } from './matches-call.ts'
import { isForShell } from './reading/other-shells.ts'

const LINE_MAX = 500
const AGENT_NAME_MAX = 100

/** A short text as it is kept: on one line, undefined if nothing is left of it. */
export function shortLine(text: string | undefined): string | undefined {
  return (text && cutText(cleanLine(text), LINE_MAX)) || undefined
}

/** The name of an agent as it is kept. */
export function agentLine(text: string | undefined): string | undefined {
  return (text && cutText(cleanLine(text), AGENT_NAME_MAX)) || undefined
}

type Tool = Parameters<typeof isForShell>[0] & { toolTarget?: string | undefined }

/** A tool's target as it is kept: its command in short; texts that people write stay as written. */
export function targetLine(tool: Tool): string | undefined {
  const { toolTarget } = tool
  const is = { isShell: isForShell(tool) }
  return (toolTarget && cutText(redactedLine(toolTarget, is), LINE_MAX)) || undefined
}

/** What the rules will read of a call that a hook reports. */
export function factsOfReport(
  call: Omit<CallFacts, 'toolTarget'> & Omit<Tool, 'byHook'>,
): CallFacts {
  return {
    repoKey: shortLine(call.repoKey),
    toolName: shortLine(call.toolName),
    toolTarget: targetLine({ ...call, byHook: true }),
    agentName: agentLine(call.agentName),
    machineId: shortLine(call.machineId),
  }
}
