import type { Feature } from '../feature.ts'
import { type FailOverDeps, keepFailingOver } from './fail-over.ts'

/** Who else is told when nobody answers. */
export function failOver(deps: FailOverDeps): Feature {
  return { jobs: [(report) => keepFailingOver(deps, report)] }
}
