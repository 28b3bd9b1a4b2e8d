import { join } from 'node:path'
import { CHANNELS } from '../../src/ask/channels/channels.ts'
import type { Route } from '../../src/ask/rest/route.ts'

const ASK = join(import.meta.dir, '../../src/ask')
const files = [...new Bun.Glob('*/{rest,events}.ts').scanSync(ASK)].sort()
const modules = await Promise.all(files.map((file) => import(join(ASK, file))))

/** What each feature has under `/api/v1`, given what its routes need. */
export function routesWith(deps: object): Route[] {
  return modules.flatMap((module) =>
    Object.entries(module).flatMap(([name, made]) =>
      name.endsWith('Routes') ? (made as (deps: object) => Route[])(deps) : [],
    ),
  )
}

/** The routes as they describe themselves; none of them can be called. */
export const REST_ROUTES = routesWith({ channels: CHANNELS })
