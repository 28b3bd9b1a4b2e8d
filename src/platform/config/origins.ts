const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * Whether a request's `Origin` is the server's own: that of the base URL or, while the server is
 * only known by a loopback name, any loopback name that the request itself was sent to. A name that
 * was rebound to loopback never counts.
 */
export function isOwnOrigin(origin: string, baseUrl: string, hostHeader: string | null): boolean {
  if (origin === baseUrl) return true
  const url = URL.parse(origin)
  // Browsers send an origin and nothing else: no user, and only schemes of the web.
  if (url?.origin !== origin || !LOOPBACK.has(url.hostname) || url.host !== hostHeader) return false
  return LOOPBACK.has(new URL(baseUrl).hostname)
}
