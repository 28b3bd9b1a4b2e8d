import { looksLikePairingCode } from '../accounts/model/pairing.ts'
import { asset } from './assets.ts'
import { href, paths } from './paths.ts'

/**
 * The web app manifest. With `?pair=CODE` the app starts at that pairing link: an installed iOS app
 * does not share the sign-in of the browser that it came from.
 */
export function manifest(url: URL): Response {
  const code = url.searchParams.get('pair') ?? ''
  const pairs = looksLikePairingCode(code)
  const filled = { type: 'image/png', purpose: 'any maskable' }
  const icon192 = { src: asset('icon-192.png'), sizes: '192x192', ...filled }
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
    background_color: '#faf6ec',
    theme_color: '#faf6ec',
    icons: [
      { src: asset('icon.svg'), sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
      icon192,
      { src: asset('icon-512.png'), sizes: '512x512', ...filled },
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
