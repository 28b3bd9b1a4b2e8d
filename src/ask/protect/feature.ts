import type { Config } from '../../platform/config/config.ts'
import type { Feature } from '../feature.ts'
import { type AnnounceDeps, keepAnnouncing } from './announce.ts'

type Deps = AnnounceDeps & { config: Config }

/** Changes of who may decide, to which others have to agree. */
export function protect(deps: Deps): Feature {
  return {
    jobs: [(report) => keepAnnouncing(deps, report)],
    pages: async () => (await import('./pages/protect.tsx')).protectPages(deps),
    settings: async () => [(await import('./pages/protect.tsx')).protectRow(deps)],
  }
}
