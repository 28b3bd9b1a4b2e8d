import type { AnyElysia } from 'elysia'
import { createHttp } from '../platform/http/server.ts'
import type { Log } from '../platform/log.ts'
import type { Feature } from './feature.ts'
import { errorPage, mountPages } from './pages/mount-pages.ts'
import type { Visitors } from './pages/page.ts'
import { mountRest, type RestDeps } from './rest/mount-rest.ts'

/** The parts of the features. */
type Parts = Awaited<ReturnType<typeof loadParts>>

/** Loads the addresses of all features. */
export async function loadParts(features: readonly Feature[]) {
  const [others, routes, pages] = await Promise.all([
    Promise.all(features.map((feature) => feature.others?.() ?? [])),
    Promise.all(features.map((feature) => feature.routes?.() ?? [])),
    Promise.all(features.map((feature) => feature.pages?.() ?? [])),
  ])
  return { others: others.flat(), routes: routes.flat(), pages: pages.flat() }
}

type MountDeps = {
  log: Log
  /** True if requests come over TLS, too. */
  isTls: boolean
  rest: RestDeps
  visitors: Visitors
  beside: readonly AnyElysia[]
}

/**
 * One router over the parts, and over what stands `beside` them; `services` says what is called by
 * services of others.
 */
export function mountParts(parts: Parts, { log, isTls, rest, visitors, beside }: MountDeps) {
  const { others, routes, pages } = parts
  const services = others.flatMap(({ service, routes: called }) =>
    service === undefined ? [] : [{ face: service, routes: called.routes }],
  )
  const ownLimits = others.flatMap(({ ownLimit, routes: own }) =>
    ownLimit ? own.routes.map(({ path }) => path) : [],
  )
  const http = createHttp({
    ...{ log, ownLimits },
    isTls,
    routes: [
      ...others.map((other) => other.routes),
      ...beside,
      mountRest(routes, rest),
      mountPages(pages, visitors),
    ],
    errorPage: errorPage(visitors),
    programPaths: services.flatMap((service) => service.routes.map(({ path }) => path)),
  })
  return { http, services }
}
