import type { Clock } from '../../platform/clock.ts'
import { Failure } from '../../platform/failure.ts'
import { requestAddress } from '../../platform/http/request.ts'
import { cutText } from '../../platform/text.ts'
import type { Tombstone } from '../records/change.ts'
import { normalPath, ownership } from './addresses.ts'
import { METHODS, preflight, redirect, sendDocument, sendProblem, sendReply } from './answer.ts'
import type { BuiltSite, DynamicRoutes, LoadedModule, QueryRoute } from './built-site.ts'
import type { CatalogSnapshot } from './catalog-snapshot.ts'
import { INVALID_PARAMETER } from './failures.ts'
import { isForReaders, type ProblemBody } from './problem.ts'
import { createMeter, DOCUMENTS, QUERIES } from './rates.ts'

export type ServeDeps = {
  clock: Clock
  modules: readonly LoadedModule[]
  dynamic?: DynamicRoutes
  site(): BuiltSite | undefined
  ready(): Promise<BuiltSite>
  /** The address that limits count by. */
  addressOf(request: Request): string
  /** True if requests are rate limited. */
  limited: boolean
  report(error: unknown): void
  /** A problem as a page for people; plain text without it, and until a site is built. */
  problemPage?(snapshot: CatalogSnapshot, problem: Failure): ProblemBody
}

/** The catalog's answer; undefined for an address that is not the catalog's. */
export type Serve = (request: Request) => Response | Promise<Response> | undefined

// For people who type the prefix.
const ENTRY = new Set(['/api/v1', '/api/v1/'])
const NO_HEADERS = {}
const NO_DYNAMIC_ROUTES: DynamicRoutes = {
  routes: [],
  asks: new Set(),
  answer: async () => undefined,
}
const QUERY_MOST = 4_096

/** Answers GET and HEAD for every address of the modules; every other request gets a problem. */
export function createServe(deps: ServeDeps): Serve {
  const { dynamic = NO_DYNAMIC_ROUTES } = deps
  const owns = ownership(deps.modules.flatMap((module) => module.routes))
  const isDynamic = ownership(dynamic.routes)
  const refuse = refuser(deps)
  const answer = answerer(deps, refuse)

  async function answerLater(request: Request, path: string, search: string): Promise<Response> {
    const site = await deps.ready().catch(() => {
      throw new Failure('unavailable', NOT_BUILT, { retryAfter: 60 })
    })
    return await answer(site, request, path, search)
  }

  return (request) => {
    const { path: requestPath, search } = requestAddress(request.url)
    const path = normalPath(requestPath)
    if (!ENTRY.has(path) && !owns(path) && !isDynamic(path)) return undefined
    const { method } = request
    try {
      if (method === 'OPTIONS') return preflight()
      if (method !== 'GET' && method !== 'HEAD') throw wrongMethod(method)
      if (ENTRY.has(path)) return redirect(308, '/api/v1/index.json')
      const site = deps.site()
      const response = site
        ? answer(site, request, path, search)
        : answerLater(request, path, search)
      if (!(response instanceof Promise)) return response
      return response.catch((error) => refuse(error, request, path))
    } catch (error) {
      return refuse(error, request, path)
    }
  }
}

type Refuse = (
  error: unknown,
  request: Request,
  path: string,
  more?: Record<string, string>,
) => Response

/** Turns what was thrown into a problem; bugs are reported and not shown. */
function refuser(deps: ServeDeps): Refuse {
  return (error, request, path, more = {}) => {
    const forReaders = isForReaders(error)
    if (!forReaders || error.cause) deps.report(error)
    const problem = forReaders ? error : new Failure('internal', BUG)
    return sendProblem(problem, request, path, more, pageOf(deps))
  }
}

/** Answers from a built site: a document, a query or a dynamic route, each counted for the limits. */
function answerer(deps: ServeDeps, refuse: Refuse) {
  const { modules, dynamic = NO_DYNAMIC_ROUTES, limited } = deps
  const isDynamic = ownership(dynamic.routes)
  const queries = new Map(
    modules.flatMap((module) => module.asks ?? []).map((route) => [route.path, route]),
  )
  const meters = {
    documents: createMeter(deps.clock, DOCUMENTS),
    queries: createMeter(deps.clock, QUERIES),
  }
  const count = (meter: keyof typeof meters, request: Request) =>
    limited ? meters[meter](deps.addressOf(request)) : NO_HEADERS

  async function answerDynamic(site: BuiltSite, request: Request, path: string, search: string) {
    if (search !== '' && !dynamic.asks.has(path)) throw noParameters(path)
    const rateHeaders = count('documents', request)
    if (search.length > QUERY_MOST) throw tooLong()
    const document = await dynamic.answer(site, path, search)
    return document
      ? sendDocument(document, request, rateHeaders)
      : redirect(301, movedTo(site.snapshot, path))
  }

  function answerQuery(site: BuiltSite, request: Request, route: QueryRoute, search: string) {
    const rateHeaders = count('queries', request)
    try {
      if (search.length > QUERY_MOST) throw tooLong()
      return sendReply(
        route.reply(site.snapshot, new URLSearchParams(search)),
        request,
        rateHeaders,
      )
    } catch (error) {
      return refuse(error, request, route.path, rateHeaders)
    }
  }

  return (site: BuiltSite, request: Request, path: string, search: string) => {
    if (isDynamic(path)) return answerDynamic(site, request, path, search)
    const route = queries.get(path)
    const document = site.documents.get(path)
    if (route && (search !== '' || !document)) return answerQuery(site, request, route, search)
    if (search !== '' && path.startsWith('/api/')) throw noParameters(path)
    const rateHeaders = count('documents', request)
    if (document) return sendDocument(document, request, rateHeaders)
    if (path.length > 1 && path.endsWith('/') && site.documents.has(path.slice(0, -1))) {
      return redirect(308, path.slice(0, -1))
    }
    return redirect(301, movedTo(site.snapshot, path))
  }
}

function pageOf({ site, problemPage }: ServeDeps) {
  const { snapshot } = site() ?? {}
  return snapshot && problemPage && ((problem: Failure) => problemPage(snapshot, problem))
}

const BUG = 'Something went wrong on the server; its log says what. Try again later.'
const NOT_BUILT = 'The catalog could not be built; the log of the server says why.'

function noParameters(path: string): Failure {
  return new Failure(INVALID_PARAMETER, `${path} takes no parameters.`, { allowed: [] })
}

function tooLong(): Failure {
  return new Failure(INVALID_PARAMETER, `The query must have at most ${QUERY_MOST} characters.`)
}

function wrongMethod(method: string): Failure {
  return new Failure(
    'method_not_allowed',
    `${method} does not work here: the catalog is read-only. It accepts ${METHODS}.`,
  )
}

// The kinds of address of a tool, with the suffix after the slug.
const OF_A_TOOL =
  /^(\/api\/v1\/(?:tools|checks)\/|\/tools\/|\/history\/)([a-z0-9-]+)((?:\/history)?(?:\.[a-z]+)*)$/
// Renames may form a circle.
const RENAMES_MAX = 16

/**
 * The new address of a renamed tool. Throws `gone` for a removed one, `not_found` for one that
 * never existed.
 */
function movedTo(snapshot: CatalogSnapshot, path: string): string {
  const [, folder = '', slug = '', suffix = ''] = OF_A_TOOL.exec(path) ?? []
  const bySlug = new Map(snapshot.removed.map((one) => [one.slug, one]))
  const tombstone = bySlug.get(slug)
  if (!tombstone) {
    throw new Failure(
      'not_found',
      slug ? `There is no tool "${cutText(slug, 64)}" here.` : 'There is nothing at this address.',
    )
  }
  const to = lastName(tombstone, bySlug)
  if (to) return `${snapshot.baseUrl}${folder}${to}${suffix}`
  throw goneFailure(snapshot, tombstone)
}

function lastName(
  tombstone: Tombstone,
  bySlug: ReadonlyMap<string, Tombstone>,
): string | undefined {
  let to = tombstone.renamedTo
  for (let n = 0; n < RENAMES_MAX; n++) {
    const next = to && bySlug.get(to)
    if (!next) return to
    // Renamed, and removed after that.
    if (!next.renamedTo) return undefined
    to = next.renamedTo
  }
  return undefined
}

function goneFailure({ baseUrl }: CatalogSnapshot, tombstone: Tombstone): Failure {
  const { slug, date, reason, replacement } = tombstone
  const instead = replacement ? ` Use ${replacement} instead: ${baseUrl}/tools/${replacement}` : ''
  const sentence = reason.replace(/\.?$/, '.')
  return new Failure('gone', `"${slug}" was removed on ${date}: ${sentence}${instead}`, {
    ...(replacement ? { replacement } : {}),
  })
}
