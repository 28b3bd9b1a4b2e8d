const ALWAYS: [name: string, value: string][] = [
  ['x-content-type-options', 'nosniff'],
  ['referrer-policy', 'no-referrer'],
  ['content-security-policy', "frame-ancestors 'none'"],
  // No other site may load it by an image or a script; the catalog overrides this.
  ['cross-origin-resource-policy', 'same-origin'],
  // Cacheable replies override this; every other reply must not be stored.
  ['cache-control', 'no-store'],
]

// Half a year: long enough to be useful, short enough to go back to plain http one day.
const STAY_WITH_HTTPS: [name: string, value: string] = [
  'strict-transport-security',
  'max-age=15552000',
]

/** Gives every response the headers that it does not set itself. */
export function securityHeaders({ https }: { https: boolean }): (response: Response) => Response {
  const wanted = https ? [...ALWAYS, STAY_WITH_HTTPS] : ALWAYS
  return (response) => {
    const { headers } = response
    for (const [name, value] of wanted) {
      if (!headers.has(name)) headers.set(name, value)
    }
    return response
  }
}
