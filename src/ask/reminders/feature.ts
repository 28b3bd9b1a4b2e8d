import type { Feature } from '../feature.ts'
import { keepReminding, type RemindDeps } from './remind.ts'

/** People are reminded of a followed question. */
export function reminders(deps: RemindDeps): Feature {
  return { jobs: [(report) => keepReminding(deps, report)] }
}
