import { isAbsolute, relative } from 'node:path/posix'
import type { Policies } from '../policy/policies.ts'
import type { Rule } from '../policy/rule.ts'
import type { Question } from '../questions/question.ts'
import { decidedByRule } from '../questions/rule-decision.ts'
import { judge } from '../scopes/judge.ts'
import type { InForce } from './read-contract.ts'

export type Decided = { decision: 'allow' | 'deny'; reason: string }

/**
 * What a rule of the workspace says to an approval, with the reason for the model; undefined when
 * a person is to be asked. No rule allows what a scope in force holds off limits.
 */
export async function decideByRule(
  { policies }: { policies: Policies },
  asked: Question,
  inForce: InForce | undefined,
  cwd: string | undefined,
): Promise<Decided | undefined> {
  const { rules } = await policies.of(asked.workspaceId)
  const decided = decidedByRule(rules, asked)
  if (!decided) return undefined
  const { decision, rule } = decided
  if (decision === 'deny') return { decision, reason: `A rule declines ${words(rule)}.` }
  if (isOffLimits(asked, inForce, cwd)) return undefined
  return { decision, reason: `A rule allows ${words(rule)}.` }
}

function words({ match: { toolName, toolTarget } }: Rule): string {
  const target = toolTarget === undefined ? '' : ` on ${toolTarget}`
  return `${toolName ?? 'every tool'}${target} without asking`
}

function isOffLimits(
  { detail: { toolPath } }: Question,
  inForce: InForce | undefined,
  cwd: string | undefined,
): boolean {
  if (!inForce || toolPath === undefined) return false
  const { allowedPaths, offLimitsPaths } = inForce.contract
  const boundary = { allowedPaths, offLimitsPaths, widened: inForce.widened }
  const roots = cwd !== undefined && isAbsolute(cwd) ? [cwd] : []
  const names = [toolPath, ...roots.map((root) => relative(root, toolPath))]
  return judge(boundary, names, 'write', { roots }).is === 'off_limits'
}
