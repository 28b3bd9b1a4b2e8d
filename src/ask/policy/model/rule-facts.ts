import { commandWordsOf } from '../../questions/model/command-words-of.ts'
import type { AskDraft } from '../../questions/model/question.ts'
import type { RuleFacts } from './rule.ts'

type Call = Pick<AskDraft, 'agentName' | 'machineId' | 'repoKey' | 'detail'>

/** What the rules read of a question. */
export function ruleFactsOf({ agentName, machineId, repoKey, detail }: Call): RuleFacts {
  const { toolName, toolTarget } = detail
  const commandWords = () => commandWordsOf(detail)
  return { agentName, machineId, repoKey, toolName, toolTarget, commandWords }
}
