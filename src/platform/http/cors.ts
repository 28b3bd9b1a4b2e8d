import type { Answer } from './listener.ts'

// The headers that agents in a page send and read: a token, never a cookie.
const PREFLIGHT = {
  'access-control-allow-methods': 'GET, POST, PATCH, DELETE',
  'access-control-allow-headers':
    'Authorization, Content-Type, Idempotency-Key, Mcp-Method, Mcp-Name, MCP-Protocol-Version, X-Service-Env',
  'access-control-max-age': '600',
}
const READABLE = 'Retry-After, WWW-Authenticate'

/**
 * Lets pages of the `allowed` origins call the API with a token; origins are compared exactly as
 * browsers write them (Fetch: CORS protocol). Cookies never count, so only our own pages can act
 * for a person.
 */
export function withCors(allowed: readonly string[], answer: Answer): Answer {
  if (allowed.length === 0) return answer
  return async (request) => {
    if (!isOpen(request)) return await answer(request)
    const origin = request.headers.get('origin')
    const isAllowed = origin !== null && allowed.includes(origin)
    const response = isAllowed && isPreflight(request) ? preflight() : await answer(request)
    response.headers.append('vary', 'Origin')
    if (!isAllowed) return response
    response.headers.set('access-control-allow-origin', origin)
    response.headers.set('access-control-expose-headers', READABLE)
    return response
  }
}

// The addresses that take a token, and those that give one to a client in a page; never pages for
// people.
const OPEN =
  /^\/(api\/v1\/|api\/mcp\/|mcp$|oauth2\/(token|register|revoke|jwks|\.well-known\/)|\.well-known\/(oauth|openid)-)/

function isOpen({ url }: Request): boolean {
  const { pathname } = new URL(url)
  return OPEN.test(pathname)
}

function isPreflight({ method, headers }: Request): boolean {
  return method === 'OPTIONS' && headers.has('access-control-request-method')
}

function preflight(): Response {
  return new Response(null, { status: 204, headers: PREFLIGHT })
}
