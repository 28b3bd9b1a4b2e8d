import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import { leads, own, type Page, pagesWith } from '../../pages/page.ts'
import { paths } from '../../pages/paths.ts'
import type { Policies } from '../model/store.ts'
import { savePolicy, showPolicy } from './policy.tsx'
import { choosePreset } from './presets.tsx'
import { saveProgram, submitRemoveProgram } from './programs.tsx'
import { saveNewRule, saveRule, showNewRule, showRule } from './rule.tsx'
import { showRules, submitRemoveRule } from './rules.tsx'

type Deps = { db: Db; clock: Clock; policies: Policies }

export function policyPages(deps: Deps): Page[] {
  return pagesWith(deps, [
    own('GET', paths.policy, showPolicy),
    own('POST', paths.policy, savePolicy, 'policy'),
    leads(paths.preset, () => paths.policy),
    own('POST', paths.preset, choosePreset, 'policy'),
    leads(paths.programs, () => paths.policy),
    own('POST', paths.programs, saveProgram, 'policy'),
    leads(paths.removeProgram, () => paths.policy),
    own('POST', paths.removeProgram, submitRemoveProgram, 'policy'),
    own('GET', paths.rules, showRules),
    own('GET', paths.newRule, showNewRule, 'policy'),
    own('POST', paths.newRule, saveNewRule, 'policy'),
    own('GET', paths.rule, showRule, 'policy'),
    own('POST', paths.rule, saveRule, 'policy'),
    leads(paths.removeRule, () => paths.rules),
    own('POST', paths.removeRule, submitRemoveRule, 'policy'),
  ])
}
