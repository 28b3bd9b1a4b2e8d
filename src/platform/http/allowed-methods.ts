export type MountedRoute = { method: string; path: string }

/** The methods that a path accepts, for the 405 that names them; none for an unknown path. */
export function methodTable(routes: readonly MountedRoute[]): (path: string) => string[] {
  const rows = routes.map(({ method, path }) => ({ method, matches: pathPattern(path) }))
  return (path) => {
    const methods = rows.filter((row) => row.matches.test(path)).map((row) => row.method)
    const unique = new Set(methods)
    if (unique.has('GET')) unique.add('HEAD')
    return [...unique].sort()
  }
}

/** Matches `/d/:id` and `/api/auth/*` as the router does. */
function pathPattern(path: string): RegExp {
  const parts = path.split('/').map((part) => {
    if (part === '*') return '.*'
    if (part.startsWith(':')) return part.endsWith('?') ? '[^/]*' : '[^/]+'
    return part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  })
  return new RegExp(`^${parts.join('/')}/?$`)
}
