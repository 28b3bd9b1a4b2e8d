import { isOwnOrigin } from '../../platform/config/origins.ts'

/**
 * Browsers say where a request comes from in `Origin` or `Sec-Fetch-Site`; a request with neither
 * is refused. Our pages send no referrer, which makes the `Origin` of a form `null`.
 */
export function isOwnRequest(request: Request, baseUrl: string): boolean {
  const { headers } = request
  const origin = headers.get('origin')
  const site = headers.get('sec-fetch-site')
  if (site !== null && site !== 'same-origin') return false
  if (origin === null || origin === 'null') return site === 'same-origin'
  return isOwnOrigin(origin, baseUrl, headers.get('host'))
}
