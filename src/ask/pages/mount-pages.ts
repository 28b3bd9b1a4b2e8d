import type { Failure } from '../../platform/failure.ts'
import { mount } from '../../platform/http/mount.ts'
import { seeOther } from '../../platform/web/respond.ts'
import { NeedsAgreement } from '../accounts/model/guarded-change.ts'
import { looksLikePairingCode } from '../accounts/model/pairing.ts'
import { asset, serveAsset, serveWorker } from './assets.ts'
import { compressPage } from './compress.ts'
import { notFound, showFailure, showOffline } from './error-page.tsx'
import { type Page, publicPage, rawPage, type Visitors, visitOf } from './page.ts'
import { href, paths } from './paths.ts'
import { showSecret } from './proposed.tsx'
import { readVisit, type SignedIn } from './visit.ts'

/** Pages and files that every page needs. */
const COMMON: readonly Page[] = [
  publicPage('GET', paths.offline, showOffline),
  rawPage('GET', paths.manifest, (_, { request }) => manifest(new URL(request.url))),
  rawPage('GET', paths.serviceWorker, () => serveWorker()),
  rawPage('GET', paths.favicon, () => seeOther(asset('icon.svg'))),
  rawPage('GET', paths.asset, (_, { params, request }) => serveFile(params.file ?? '', request)),
]

/** The pages of all features, as one part of the server. */
export function mountPages(pages: readonly Page[], visitors: Visitors) {
  return mount(
    [...pages, ...COMMON].map(({ method, path, guard, answer }) => ({
      method,
      path,
      guard: guard && ((request, params) => guard(visitors, { request, params })),
      answer: async ({ request, params, caller }) => {
        const page = Promise.resolve(answer({ request, params }, caller, undefined))
        return compressPage(request, await page.catch((error) => proposed(error, visitors, caller)))
      },
    })),
  )
}

/** A change to which others have to agree is proposed: that leads to the question that decides it. */
async function proposed(error: unknown, { propose }: Visitors, visit: unknown): Promise<Response> {
  if (!(error instanceof NeedsAgreement) || !propose) throw error
  const id = await propose(error.change)
  const { secret } = error
  return secret ? showSecret(visit as SignedIn, secret, id) : seeOther(href.decide(id))
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
  const response = serveAsset(file, request.headers.get('accept-encoding'))
  if (!response) throw notFound()
  return response
}

const ANY = { type: 'image/png', purpose: 'any' }
const MASKED = { type: 'image/png', purpose: 'maskable' }

// The colours of the pages (`tokens.css`), shown while the app starts.
const SPLASH = { light: '#faf6ec', dark: '#15120f' } as const

/**
 * The web app manifest; `?theme=dark` for a start without a flash of light. With `?pair=CODE` the app starts at that pairing link: an installed iOS app
 * does not share the sign-in of the browser that it came from.
 */
function manifest(url: URL): Response {
  const code = url.searchParams.get('pair') ?? ''
  const pairs = looksLikePairingCode(code)
  const colour = SPLASH[url.searchParams.get('theme') === 'dark' ? 'dark' : 'light']
  const icon192 = { src: asset('icon-192.png'), sizes: '192x192', ...ANY }
  const body = {
    id: '/',
    name: 'beckon',
    short_name: 'beckon',
    description: 'Questions from your coding agents, and your answers.',
    start_url: pairs ? href.pair(code) : paths.home,
    scope: '/',
    display: 'standalone',
    lang: 'en',
    dir: 'ltr',
    categories: ['developer', 'productivity'],
    shortcuts: [{ name: 'Inbox', url: paths.inbox, icons: [icon192] }],
    background_color: colour,
    theme_color: colour,
    icons: [
      { src: asset('icon.svg'), sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
      icon192,
      { src: asset('icon-512.png'), sizes: '512x512', ...ANY },
      { src: asset('masked-192.png'), sizes: '192x192', ...MASKED },
      { src: asset('masked-512.png'), sizes: '512x512', ...MASKED },
      { src: asset('icon-plain.svg'), sizes: 'any', type: 'image/svg+xml', purpose: 'monochrome' },
    ],
  }
  return new Response(JSON.stringify(body), {
    headers: {
      'content-type': 'application/manifest+json',
      // A code that is still valid must not be cached.
      'cache-control': pairs ? 'no-store' : 'no-cache',
    },
  })
}
