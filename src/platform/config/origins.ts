const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Returns true if a hostname of a URL is one of the usual names of this machine. */
export function isLoopbackName(hostname: string): boolean {
  return LOOPBACK.has(hostname)
}

/**
 * Returns true if a hostname of a URL only leads to this machine: its names, and all of
 * 127.0.0.0/8.
 */
export function isLoopbackHost(hostname: string): boolean {
  return LOOPBACK.has(hostname) || /^127(\.\d+){3}$/.test(hostname)
}

/**
 * Returns true if a request's `Origin` is the server's own: that of the base URL or, while the
 * server is only known by a loopback name, any loopback name that the request itself was sent to. A
 * name that was rebound to loopback never counts.
 */
export function isOwnOrigin(origin: string, baseUrl: string, hostHeader: string | null): boolean {
  if (origin === baseUrl) return true
  const url = URL.parse(origin)
  // Browsers send an origin and nothing else: no user, and only schemes of the web.
  if (url?.origin !== origin || !isLoopbackName(url.hostname) || url.host !== hostHeader)
    return false
  return isLoopbackName(new URL(baseUrl).hostname)
}
