import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import { type Page, pagesWith, redirectTo, signedInPage } from '../../pages/page.ts'
import { paths } from '../../pages/paths.ts'
import type { Policies } from '../model/store.ts'
import { savePolicy, showPolicy } from './policy.tsx'
import { choosePreset } from './presets.tsx'
import { saveProgram, submitRemoveProgram } from './programs.tsx'
import { saveNewRule, saveRule, showNewRule, showRule } from './rule.tsx'
import { showRules, submitRemoveRule } from './rules.tsx'
import { saveVisibility, showVisibility } from './visibility.tsx'

type Deps = { db: Db; clock: Clock; policies: Policies }

export function policyPages(deps: Deps): Page[] {
  return pagesWith(deps, [
    signedInPage('GET', paths.policy, showPolicy),
    signedInPage('POST', paths.policy, savePolicy, 'policy'),
    signedInPage('GET', paths.visibility, showVisibility),
    signedInPage('POST', paths.visibility, saveVisibility, 'people'),
    redirectTo(paths.preset, () => paths.policy),
    signedInPage('POST', paths.preset, choosePreset, 'policy'),
    redirectTo(paths.programs, () => paths.policy),
    signedInPage('POST', paths.programs, saveProgram, 'policy'),
    redirectTo(paths.removeProgram, () => paths.policy),
    signedInPage('POST', paths.removeProgram, submitRemoveProgram, 'policy'),
    signedInPage('GET', paths.rules, showRules),
    signedInPage('GET', paths.newRule, showNewRule, 'policy'),
    signedInPage('POST', paths.newRule, saveNewRule, 'policy'),
    signedInPage('GET', paths.rule, showRule, 'policy'),
    signedInPage('POST', paths.rule, saveRule, 'policy'),
    redirectTo(paths.removeRule, () => paths.rules),
    signedInPage('POST', paths.removeRule, submitRemoveRule, 'policy'),
  ])
}
