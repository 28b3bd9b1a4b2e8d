import type { Config } from '../../platform/config/config.ts'
import type { Feature } from '../feature.ts'
import { type AnnounceDeps, keepAnnouncing } from './announce.ts'
import { keepFile, leaveFile, type WatchDeps } from './watch-file.ts'

type Deps = AnnounceDeps & WatchDeps & { config: Config }

/** Changes of who may decide, to which others have to agree. */
export function protect(deps: Deps): Feature {
  const { path } = deps.config.policyFile
  return {
    jobs: [
      (report) => keepAnnouncing(deps, report),
      (report) => {
        if (path !== undefined) return keepFile(deps, path, report)
        const left = leaveFile(deps).catch(report)
        return { [Symbol.asyncDispose]: () => left }
      },
    ],
    pages: async () => (await import('./pages/protect.tsx')).protectPages(deps),
    settings: async () => [(await import('./pages/protect.tsx')).protectRow(deps)],
  }
}
