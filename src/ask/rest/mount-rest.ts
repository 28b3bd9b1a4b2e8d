import { mount, type RequestInput } from '../../platform/http/mount.ts'
import { loadOnce } from '../../platform/once.ts'
import { type MoreApi, openApi } from './openapi.ts'
import { type Callers, mountable, type Route } from './route.ts'

export type RestDeps = {
  callers: Callers
  /** The address under which agents reach this server, without a slash at the end. */
  baseUrl: string
  /** Returns what `/openapi.json` describes besides these routes. */
  more?: () => Promise<MoreApi>
  /** Prepares the description for sending; without it the text is sent as it is. */
  sender?: (description: string) => Promise<Send>
}

type Send = (request: Request) => Promise<Response>

/** The REST routes and their description, for agents and for other clients. */
export function mountRest(
  routes: readonly Route[],
  { callers, baseUrl, more, sender = plainly }: RestDeps,
) {
  const description = loadOnce(
    async () => await sender(JSON.stringify(openApi(routes, baseUrl, await more?.()))),
  )
  // OPTIONS is asked by browsers before a page of another site reads it with headers of its own.
  const described = ['GET', 'OPTIONS'].map((method) => ({
    method,
    path: '/openapi.json',
    answer: async ({ request }: RequestInput) => await (await description())(request),
  }))
  return mount([...routes.flatMap((route) => mountable(callers, route)), ...described])
}

async function plainly(description: string): Promise<Send> {
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-cache' }
  return async () => new Response(description, { headers })
}
