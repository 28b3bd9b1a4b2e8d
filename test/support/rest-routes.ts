import { join } from 'node:path'
import { CHANNELS } from '../../src/ask/channels/channels.ts'
import type { Route } from '../../src/ask/rest/route.ts'

const ASK = join(import.meta.dir, '../../src/ask')
const files = [...new Bun.Glob('*/{rest,events}.ts').scanSync(ASK)].sort()
const modules = await Promise.all(files.map((file) => import(join(ASK, file))))

/** The routes of each feature under `/api/v1`, each once: a feature may list those of a lower one. */
export function routesWith(deps: object): Route[] {
  const routes = modules.flatMap((module) =>
    Object.entries(module).flatMap(([name, create]) =>
      name.endsWith('Routes') ? (create as (deps: object) => Route[])(deps) : [],
    ),
  )
  return [...new Map(routes.map((route) => [route.spec, route])).values()]
}

/** The routes as they describe themselves; none of them can be called. */
export const REST_ROUTES = routesWith({ channels: CHANNELS })
