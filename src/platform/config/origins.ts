const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * Whether a request's `Origin` is the server's own: the base URL's, or, while the server is only
 * known by a loopback name, any loopback name the request itself was sent to. A name that was
 * rebound to loopback is never ours.
 */
export function isOwnOrigin(origin: string, baseUrl: string, hostHeader: string | null): boolean {
  if (origin === baseUrl) return true
  const url = URL.parse(origin)
  // What browsers send is an origin and nothing else: no user, no other scheme than the web's.
  if (url?.origin !== origin || !LOOPBACK.has(url.hostname) || url.host !== hostHeader) return false
  return LOOPBACK.has(new URL(baseUrl).hostname)
}
