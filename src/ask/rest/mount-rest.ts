import { mount } from '../../platform/http/mount.ts'
import { loadOnce } from '../../platform/load-once.ts'
import { type MoreApi, openApi } from './openapi.ts'
import { type Callers, mountable, type Route } from './route.ts'

export type RestDeps = {
  callers: Callers
  /** The address under which agents reach this server, without a slash at the end. */
  baseUrl: string
  /** What `/openapi.json` describes besides these routes. */
  more?: () => Promise<MoreApi>
}

/** The REST routes and their description, for agents and for other clients. */
export function mountRest(routes: readonly Route[], { callers, baseUrl, more }: RestDeps) {
  const description = loadOnce(async () => JSON.stringify(openApi(routes, baseUrl, await more?.())))
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-cache' }
  return mount([
    ...routes.flatMap((route) => mountable(callers, route)),
    {
      method: 'GET',
      path: '/openapi.json',
      answer: async () => new Response(await description(), { headers }),
    },
  ])
}
