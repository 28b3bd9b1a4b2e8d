import type { EnforcedRule } from '../policy/model/rule.ts'
import { gatedToolName } from '../wire/tool-fingerprint.ts'
import { type GateTool, isConfirmed } from './model/gate.ts'

type Tool = { gate: string; tool: GateTool; machineId: string | undefined }

/**
 * Returns what is decided about every call of a tool, whatever its arguments, its agent and its
 * repository are: for the time that a gate cannot reach this server. Null: it depends, or a person
 * decides.
 */
export function decidedUnasked(
  rules: readonly EnforcedRule[],
  { gate, tool, machineId }: Tool,
): 'allow' | 'deny' | null {
  const toolName = gatedToolName(gate, tool.name)
  const about = rules.filter(
    ({ decision, match }) =>
      decision !== undefined &&
      (match.toolName === undefined || match.toolName === toolName) &&
      (match.machineId === undefined || match.machineId === machineId),
  )
  const decisions = new Set(about.map(({ decision }) => decision))
  if (decisions.size > 1 || decisions.has('ask')) return null
  if (rules.some(({ approve, match }) => approve && mayBeFor(match, toolName))) return null
  const plain = about.filter(
    ({ match }) =>
      match.toolTarget === undefined &&
      match.agentName === undefined &&
      match.repoKey === undefined &&
      match.token === undefined &&
      match.owner === undefined,
  )
  const [first] = plain
  if (first?.decision === 'deny') return 'deny'
  if (!isConfirmed(tool)) return null
  const isRuled = plain.some(({ match }) => match.toolName !== undefined)
  return isRuled || (about.length === 0 && tool.confirmed?.unasked) ? 'allow' : null
}

function mayBeFor({ toolName }: EnforcedRule['match'], name: string): boolean {
  return toolName === undefined || toolName === name
}
