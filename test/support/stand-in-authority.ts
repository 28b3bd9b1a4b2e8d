import { readFileSync } from 'node:fs'
import { selfSigned } from './pebble.ts'
import { tempFolder } from './temp-folder.ts'

export type StandIn = Disposable & {
  directory: string
  /** A file of the certificate that it is trusted by, and the certificate. */
  caFile: string
  ca: string
  /** The paths that were asked for, in order. */
  paths: string[]
}

/** An authority that knows an account and answers every order with `onOrder`. */
export function standInAuthority(onOrder: () => Response): StandIn {
  const folder = tempFolder()
  const { key, cert } = selfSigned(folder.path, 'localhost')
  const paths: string[] = []
  const server = Bun.serve({
    ...{ hostname: '127.0.0.1', port: 0, tls: { key: Bun.file(key), cert: Bun.file(cert) } },
    fetch(request) {
      const { pathname, origin } = new URL(request.url)
      paths.push(pathname)
      const headers = { 'replay-nonce': `nonce${paths.length}` }
      switch (pathname) {
        case '/dir':
          return Response.json({
            newNonce: `${origin}/nonce`,
            newAccount: `${origin}/account`,
            newOrder: `${origin}/order`,
          })
        case '/nonce':
          return new Response(undefined, { headers })
        case '/account':
          return Response.json({}, { headers: { ...headers, location: `${origin}/account/1` } })
        default:
          return onOrder()
      }
    },
  })
  return {
    directory: `https://127.0.0.1:${server.port}/dir`,
    ...{ caFile: cert, ca: readFileSync(cert, 'utf8'), paths },
    [Symbol.dispose]() {
      void server.stop(true)
      folder[Symbol.dispose]()
    },
  }
}

/** The problem of RFC 8555, 6.6 and 6.7. */
export function acmeProblem(
  kind: string,
  detail: string,
  { status = 400, headers = {} }: { status?: number; headers?: Record<string, string> } = {},
): Response {
  const body = { type: `urn:ietf:params:acme:error:${kind}`, detail, status }
  const type = { 'content-type': 'application/problem+json' }
  return new Response(JSON.stringify(body), { status, headers: { ...type, ...headers } })
}
