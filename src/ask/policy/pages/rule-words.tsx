/** @jsxImportSource preact */

import { SafeText } from '../../pages/marked.tsx'
import { href } from '../../pages/paths.ts'
import { repositoryName } from '../../pages/repository-name.ts'
import type { RuleParts } from '../model/rule.ts'
import { type RuleNames, ruleDoes } from './policy-words.ts'

/** "When Codex runs Bash on git push* in shop, ask on devices only and wait up to 50 s." */
export function RuleWords({
  rule,
  names,
}: {
  rule: RuleParts
  /** Where who may decide is said by name. */
  names?: RuleNames
}) {
  const { agentName, toolName, toolTarget, repoKey, machineId, owner, token } = rule.match
  return (
    <>
      {rule.mode === 'watch' && (
        <>
          <span class="chip">only watches</span>{' '}
        </>
      )}
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
          <a href={href.repository(repoKey)}>{repositoryName(repoKey)}</a>
        </>
      )}
      {machineId && (
        <>
          {' on the machine '}
          <b>{machineId}</b>
        </>
      )}
      {token !== undefined && ', with one token'}
      {owner !== undefined && (
        <>
          , with a token of <SafeText text={names?.get(owner) ?? 'one owner'} />
        </>
      )}
      ,{' '}
      <b>
        <SafeText text={ruleDoes(rule, names)} />
      </b>
      .
    </>
  )
}

function askOrAct(target: string | undefined): string {
  return target ? ' acts' : ' asks'
}
