import type { Question } from '../questions/model/question.ts'
import { type Examples, examplesOf, nearCommands, nearPaths } from '../wire/examples.ts'
import { readShellCommand } from '../wire/reading/of-ask.ts'
import { isForShell } from '../wire/reading/other-shells.ts'
import type { EnforcedRule, Rule } from './model/rule.ts'
import { decidedByRule } from './model/rule-decision.ts'

type Tested = Pick<Rule, 'match' | 'set' | 'decision'>

// A rule without a target is for every command.
const COMMANDS = ['npm test', 'git status', 'npm publish', 'rm -rf build']

/**
 * Returns examples that an allowing rule would allow, and that it would still ask about: commands
 * or paths near its target, decided as the rule decides. Undefined for a rule that does not allow,
 * or that names neither tool nor target.
 */
export function examplesOfRule(rule: Tested): Examples | undefined {
  const { toolName, toolTarget } = rule.match
  if (rule.decision !== 'allow') return undefined
  const begin = toolTarget?.replace(/\*$/, '').trim() || undefined
  if (toolName === undefined && begin === undefined) return undefined
  const isShell = isForShell({ toolName }) ?? !begin?.includes('/')
  const candidates = isShell ? commandsNear(begin) : begin === undefined ? [] : nearPaths(begin)
  const examples = examplesOf(candidates, (one) => allows(rule, one, isShell))
  return candidates.length === 0 ? undefined : examples
}

function commandsNear(begin: string | undefined): string[] {
  if (begin === undefined) return COMMANDS
  // The folder of `./scripts/*` is no command.
  const command = begin.endsWith('/') ? `${begin}build` : begin
  return [command, ...nearCommands(command)]
}

function allows(rule: Tested, target: string, isShell: boolean): boolean {
  const { match } = rule
  const toolName = (match.toolName ?? 'Bash').replace(/\*$/, '')
  const draft = {
    question: '',
    type: 'confirm',
    choices: [],
    agentName: match.agentName,
    machineId: match.machineId,
    repoKey: match.repoKey,
    detail: {
      toolName,
      toolTarget: target,
      ...(isShell ? { action: target, reading: readShellCommand(target, { toolName }) } : {}),
    },
  } as unknown as Question
  const whole = { ...rule, id: 'rule_~', createdAt: 0 } as unknown as EnforcedRule
  return decidedByRule([whole], draft)?.decision === 'allow'
}
