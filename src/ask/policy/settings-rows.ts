import { paths } from '../pages/paths.ts'
import { countWords, type SettingsRow } from '../settings-row.ts'
import type { Policies } from './model/store.ts'
import { policyName } from './pages/policy-words.ts'

/** How the workspace wants to be asked, and the exceptions from it. */
export function policyRows({ policies }: { policies: Policies }): SettingsRow[] {
  return [
    {
      group: 'agents',
      to: paths.policy,
      icon: 'clock',
      name: 'Policy',
      async state({ person }) {
        return { words: policyName((await policies.of(person.workspaceId)).policy) }
      },
    },
    {
      group: 'agents',
      to: paths.rules,
      icon: 'rule',
      name: 'Rules',
      async state({ person }) {
        const { allRules } = await policies.of(person.workspaceId)
        return { words: countWords(allRules.length, 'exception', 'No exceptions from the policy') }
      },
    },
  ]
}
