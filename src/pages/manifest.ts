import { asset } from './assets.ts'

/** What a phone needs to put the pages on its home screen. */
export function manifest(): Response {
  const icons = [
    { src: asset('icon.svg'), sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
    {
      src: asset('icon-192.svg'),
      sizes: '192x192',
      type: 'image/svg+xml',
      purpose: 'any maskable',
    },
    {
      src: asset('icon-512.svg'),
      sizes: '512x512',
      type: 'image/svg+xml',
      purpose: 'any maskable',
    },
  ]
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
    icons,
  }
  return new Response(JSON.stringify(body), {
    headers: { 'content-type': 'application/manifest+json', 'cache-control': 'no-cache' },
  })
}
