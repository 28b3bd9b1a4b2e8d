/**
 * Tells whether a path belongs to one of the routes. `:name` stands for one segment, and a slash at
 * the end is ignored.
 */
export function ownership(routes: readonly string[]): (path: string) => boolean {
  const exact = new Set(routes.filter((route) => !route.includes(':')))
  const folders = routes
    .filter((route) => route.includes(':'))
    .map((route) => new RegExp(`^${route.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+')}/?$`))
  return (path) =>
    exact.has(path) ||
    (path.endsWith('/') && exact.has(path.slice(0, -1))) ||
    folders.some((pattern) => pattern.test(path))
}

const ESCAPED = /%[0-9A-Fa-f]{2}/g
// Characters that mean the same escaped or not, except a slash (RFC 3986, 3.3 and 6.2.2).
const PLAIN = /[A-Za-z0-9\-._~!$&'()*+,;=:@]/

/** One spelling of each address: `%2f` becomes `%2F`, `%2B` becomes `+`. */
export function normalPath(path: string): string {
  if (!path.includes('%')) return path
  return path.replace(ESCAPED, (escaped) => {
    const character = String.fromCharCode(Number.parseInt(escaped.slice(1), 16))
    return PLAIN.test(character) ? character : escaped.toUpperCase()
  })
}
