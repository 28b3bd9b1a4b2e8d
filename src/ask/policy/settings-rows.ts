import type { Db } from '../../platform/db/database.ts'
import { readVisibility } from '../accounts/model/workspace-store.ts'
import { paths } from '../pages/paths.ts'
import { countWords, type SettingsRow } from '../settings-row.ts'
import type { Policies } from './model/store.ts'
import { policyName } from './pages/policy-words.ts'
import { visibilityWords } from './pages/visibility.tsx'

type Deps = { db: Db; policies: Policies }

/** How the workspace wants to be asked, the exceptions from it, and what members see. */
export function policyRows({ db, policies }: Deps): SettingsRow[] {
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
    {
      group: 'people',
      to: paths.visibility,
      icon: 'search',
      name: 'What members see',
      state: async ({ person }) => ({
        words: visibilityWords(await readVisibility(db.read, person.workspaceId)),
      }),
    },
  ]
}
