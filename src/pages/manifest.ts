import { asset } from './assets.ts'

/** What a phone needs to put the pages on its home screen. */
export function manifest(): Response {
  const filled = { type: 'image/png', purpose: 'any maskable' }
  const body = {
    id: '/',
    name: 'beckon',
    short_name: 'beckon',
    description: 'Questions from your coding agents, and your answers.',
    start_url: '/',
    scope: '/',
    display: 'standalone',
    background_color: '#faf6ec',
    theme_color: '#faf6ec',
    icons: [
      { src: asset('icon.svg'), sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
      { src: asset('icon-192.png'), sizes: '192x192', ...filled },
      { src: asset('icon-512.png'), sizes: '512x512', ...filled },
    ],
  }
  return new Response(JSON.stringify(body), {
    headers: { 'content-type': 'application/manifest+json', 'cache-control': 'no-cache' },
  })
}
