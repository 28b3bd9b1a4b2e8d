import { type FactBases, PUBLIC_BASES } from './bases.ts'
import { certificateProbe } from './certificate.ts'
import { rdapProbe } from './domain.ts'
import type { Probe } from './fact.ts'
import { llmsTxtProbe } from './llms-txt.ts'
import { modelsProbe } from './models.ts'
import { pagesProbe } from './pages/fact.ts'
import { githubProbe } from './repository/fact.ts'
import { securityTxtProbe } from './security-txt.ts'
import { vendorStatusProbe } from './vendor-status/fact.tsx'
import { goProbe, npmProbe, pypiProbe } from './versions/registries.ts'

/** What is known of a tool beside whether it answers. */
export function factProbes(bases: FactBases): readonly Probe[] {
  return [
    npmProbe(bases),
    pypiProbe(bases),
    goProbe(bases),
    githubProbe(bases),
    vendorStatusProbe(bases),
    certificateProbe(),
    pagesProbe(),
    modelsProbe(),
    securityTxtProbe(bases),
    llmsTxtProbe(bases),
    rdapProbe(bases),
  ]
}

export const FACT_PROBES: readonly Probe[] = factProbes(PUBLIC_BASES)
