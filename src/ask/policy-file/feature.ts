import type { Config } from '../../platform/config/config.ts'
import type { Feature } from '../feature.ts'
import type { FileRestDeps } from './rest.ts'

type Deps = Omit<FileRestDeps, 'baseUrl'> & { config: Pick<Config, 'baseUrl'> }

/** Policy, groups and rules as a file. */
export function policyFile({ config, ...more }: Deps): Feature {
  const deps = { ...more, baseUrl: config.baseUrl }
  return {
    routes: async () => (await import('./rest.ts')).fileRoutes(deps),
    others: async () => [{ routes: (await import('./schema-route.ts')).schemaRoute() }],
    pages: async () => (await import('./pages/file.tsx')).filePages(deps),
  }
}
