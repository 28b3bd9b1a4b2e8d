import type { Failure } from '../../platform/failure.ts'
import { mount } from '../../platform/http/mount.ts'
import { seeOther } from '../../platform/web/respond.ts'
import { asset, serveAsset, serveWorker } from './assets.ts'
import { notFound, showFailure } from './error-page.tsx'
import { manifest } from './manifest.ts'
import { showOffline } from './offline.tsx'
import { direct, open, type Page, type Visitors, visitOf } from './page.ts'
import { paths } from './paths.ts'
import { readVisit } from './visit.ts'

/** What every page needs. */
const COMMON: readonly Page[] = [
  open('GET', paths.offline, showOffline),
  direct('GET', paths.manifest, (_, { request }) => manifest(new URL(request.url))),
  direct('GET', paths.serviceWorker, () => serveWorker()),
  direct('GET', paths.favicon, () => seeOther(asset('icon.svg'))),
  direct('GET', paths.asset, (_, { params, request }) => serveFile(params.file ?? '', request)),
]

/** The pages of all features, as one part of the server. */
export function mountPages(pages: readonly Page[], visitors: Visitors) {
  return mount(
    [...pages, ...COMMON].map(({ method, path, guard, answer }) => ({
      method,
      path,
      guard: guard && ((request, params) => guard(visitors, { request, params })),
      answer: async ({ request, params, caller }) =>
        await answer({ request, params }, caller, undefined),
    })),
  )
}

/**
 * How a failure outside the API looks; as for a signed-out person if even the session cannot be
 * read.
 */
export function errorPage(visitors: Visitors) {
  return async (failure: Failure, request: Request): Promise<Response> => {
    const stranger = readVisit(request, {}, visitors.clock.now(), undefined, 0)
    const visit = await visitOf(visitors, { request, params: {} }).catch(() => stranger)
    return showFailure(failure, visit)
  }
}

function serveFile(file: string, request: Request): Response {
  const found = serveAsset(file, request.headers.get('accept-encoding'))
  if (!found) throw notFound()
  return found
}
