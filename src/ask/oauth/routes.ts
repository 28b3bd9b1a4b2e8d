import { type AnyElysia, Elysia } from 'elysia'
import { createEndpoints, type EndpointDeps } from './endpoints.ts'
import { openIdMetadata, resourceMetadata, serverMetadata } from './metadata.ts'
import { ISSUER_PATH, OAUTH_PATHS, RESOURCE_METADATA_PATH } from './model/issuer.ts'

/** The addresses that programs call to sign in; the page for people is among the pages. */
export function oauthRoutes(deps: EndpointDeps & { baseUrl: string }): AnyElysia {
  const { baseUrl } = deps
  const endpoints = createEndpoints(deps)
  const documents: Record<string, object> = {
    [RESOURCE_METADATA_PATH]: resourceMetadata(baseUrl),
    // Where an issuer with a path has its metadata (RFC 8414, 3.1), and where OpenID Connect has them.
    [`/.well-known/oauth-authorization-server${ISSUER_PATH}`]: serverMetadata(baseUrl),
    [`/.well-known/openid-configuration${ISSUER_PATH}`]: openIdMetadata(baseUrl),
    [`${ISSUER_PATH}/.well-known/openid-configuration`]: openIdMetadata(baseUrl),
    [OAUTH_PATHS.keys]: { keys: [] },
  }
  const app = new Elysia()
  for (const [path, document] of Object.entries(documents)) {
    app.get(path, () => Response.json(document))
  }
  const { token, register, revoke } = endpoints
  return app
    .all(OAUTH_PATHS.token, ({ request }) => token(request), { parse: 'none' })
    .all(OAUTH_PATHS.register, ({ request }) => register(request), { parse: 'none' })
    .all(OAUTH_PATHS.revoke, ({ request }) => revoke(request), { parse: 'none' })
}
