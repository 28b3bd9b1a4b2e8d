import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import { type Page, pagesWith, redirectTo, signedInPage } from '../../pages/page.ts'
import { paths } from '../../pages/paths.ts'
import { showGate, submitConfirm, submitRemoveGate } from './gate.tsx'
import { showGateTool } from './gate-tool.tsx'
import { showGates } from './gates.tsx'

type Deps = { db: Db; clock: Clock }

export function gatePages(deps: Deps): Page[] {
  return pagesWith(deps, [
    signedInPage('GET', paths.gates, showGates),
    signedInPage('GET', paths.gate, showGate),
    signedInPage('GET', paths.gateTool, showGateTool),
    redirectTo(paths.confirmGate, (id) => `${paths.gates}/${id}`),
    signedInPage('POST', paths.confirmGate, submitConfirm, 'policy'),
    redirectTo(paths.removeGate, (id) => `${paths.gates}/${id}`),
    signedInPage('POST', paths.removeGate, submitRemoveGate, 'policy'),
  ])
}
