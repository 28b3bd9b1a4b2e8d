import { type Page, pagesWith, redirectTo, signedInPage } from '../../pages/page.ts'
import { paths } from '../../pages/paths.ts'
import { showGate, submitConfirm, submitRemoveGate } from './gate.tsx'
import { showGateTool } from './gate-tool.tsx'
import { showGates, submitUpstream } from './gates.tsx'
import { submitRemoveUpstream, type UpstreamDeps } from './upstreams.tsx'

type Deps = UpstreamDeps

export function gatePages(deps: Deps): Page[] {
  return pagesWith(deps, [
    signedInPage('GET', paths.gates, showGates),
    redirectTo(paths.gateServers, () => paths.gates),
    signedInPage('POST', paths.gateServers, submitUpstream, 'policy'),
    redirectTo(paths.removeGateServer, () => paths.gates),
    signedInPage('POST', paths.removeGateServer, submitRemoveUpstream, 'policy'),
    signedInPage('GET', paths.gate, showGate),
    signedInPage('GET', paths.gateTool, showGateTool),
    redirectTo(paths.confirmGate, (id) => `${paths.gates}/${id}`),
    signedInPage('POST', paths.confirmGate, submitConfirm, 'policy'),
    redirectTo(paths.removeGate, (id) => `${paths.gates}/${id}`),
    signedInPage('POST', paths.removeGate, submitRemoveGate, 'policy'),
  ])
}
