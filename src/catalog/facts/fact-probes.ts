import type { Probe } from '../probing/probe.ts'
import { type FactBases, PUBLIC_BASES } from './bases.ts'
import { certificateProbe } from './certificate.ts'
import { githubProbe } from './github.ts'
import { goProbe } from './go.ts'
import { llmsTxtProbe } from './llms-txt.ts'
import { modelsProbe } from './models.ts'
import { npmProbe } from './npm.ts'
import { pagesProbe } from './pages.ts'
import { pypiProbe } from './pypi.ts'
import { rdapProbe } from './rdap.ts'
import { securityTxtProbe } from './security-txt-probe.ts'
import { vendorStatusProbe } from './status/vendor-status.ts'

/** What is known of a tool beside whether it answers. */
export function factProbes(bases: FactBases): readonly Probe[] {
  return [
    ...[npmProbe(bases), pypiProbe(bases), goProbe(bases), githubProbe(bases)],
    ...[vendorStatusProbe(bases), certificateProbe(), pagesProbe(), modelsProbe()],
    ...[securityTxtProbe(bases), llmsTxtProbe(bases), rdapProbe(bases)],
  ]
}

export const FACT_PROBES: readonly Probe[] = factProbes(PUBLIC_BASES)
