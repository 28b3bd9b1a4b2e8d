/** @jsxImportSource preact */
import type { Rule } from '../model/rule.ts'
import { ruleSets } from './policy-words.ts'

/** "When Codex runs Bash on git push* in shop: push only, wait 50 s". */
export function RuleWords({ rule }: { rule: Rule }) {
  const { agentName, toolName, toolTarget, repoKey, machineId } = rule.match
  return (
    <>
      When {agentName ? <b>{agentName}</b> : 'an agent'}
      {toolName ? (
        <>
          {' runs '}
          <code>{toolName}</code>
        </>
      ) : (
        askOrAct(toolTarget)
      )}
      {toolTarget && (
        <>
          {' on '}
          <code>{toolTarget}</code>
        </>
      )}
      {repoKey && (
        <>
          {' in '}
          <b>{repoKey}</b>
        </>
      )}
      {machineId && (
        <>
          {' on the machine '}
          <b>{machineId}</b>
        </>
      )}
      : <b>{ruleSets(rule)}</b>
    </>
  )
}

function askOrAct(target: string | undefined): string {
  return target ? ' acts' : ' asks'
}
