import { type AnyElysia, Elysia } from 'elysia'
import { type DocumentsOffer, readDocumentsOffer } from './document-failures.ts'
import { createEndpoints, type EndpointDeps } from './endpoints.ts'
import { AUTH_METHODS } from './model/client.ts'
import {
  DOCUMENTS_MEMBER,
  ISSUER_PATH,
  issuerOf,
  OAUTH_PATHS,
  RESOURCE_METADATA_PATH,
  resourceOf,
} from './model/issuer.ts'
import { OFFLINE, SCOPES } from './model/scope.ts'

/** The addresses that programs call to sign in; the page for people is among the pages. */
export function oauthRoutes(
  deps: EndpointDeps & { baseUrl: string; clientDocuments: boolean },
): AnyElysia {
  const { baseUrl, clientDocuments } = deps
  const endpoints = createEndpoints(deps)
  const documents: Record<string, object> = {
    [RESOURCE_METADATA_PATH]: resourceMetadata(baseUrl),
    [OAUTH_PATHS.keys]: { keys: [] },
  }
  // Where an issuer with a path has its metadata (RFC 8414, 3.1), and where OpenID Connect has them.
  const ofServer: Record<string, (baseUrl: string) => object> = {
    [`/.well-known/oauth-authorization-server${ISSUER_PATH}`]: serverMetadata,
    [`/.well-known/openid-configuration${ISSUER_PATH}`]: openIdMetadata,
    [`${ISSUER_PATH}/.well-known/openid-configuration`]: openIdMetadata,
  }
  const app = new Elysia()
  for (const [path, document] of Object.entries(documents)) {
    app.get(path, () => Response.json(document))
  }
  for (const [path, metadata] of Object.entries(ofServer)) {
    app.get(path, async () => {
      const offer = await readDocumentsOffer(deps.db.read, clientDocuments)
      return Response.json({ ...metadata(baseUrl), ...documentsOffered(offer) })
    })
  }
  const { token, register, revoke } = endpoints
  return app
    .all(OAUTH_PATHS.token, ({ request }) => token(request), { parse: 'none' })
    .all(OAUTH_PATHS.register, ({ request }) => register(request), { parse: 'none' })
    .all(OAUTH_PATHS.revoke, ({ request }) => revoke(request), { parse: 'none' })
}

/** Why documents of clients are not offered is said in a member of our own (RFC 8414, 2). */
function documentsOffered(offer: DocumentsOffer): object {
  const isOn = offer === 'on'
  return {
    client_id_metadata_document_supported: isOn,
    ...(isOn ? {} : { [DOCUMENTS_MEMBER]: offer }),
  }
}

/** Names the authorization server of the MCP address (RFC 9728, 2). */
function resourceMetadata(baseUrl: string): object {
  return {
    resource: resourceOf(baseUrl),
    authorization_servers: [issuerOf(baseUrl)],
    scopes_supported: SCOPES,
    bearer_methods_supported: ['header'],
    resource_name: 'Beckon',
  }
}

/** Says where and how clients ask (RFC 8414, 2). */
function serverMetadata(baseUrl: string): object {
  return {
    issuer: issuerOf(baseUrl),
    authorization_endpoint: baseUrl + OAUTH_PATHS.authorize,
    token_endpoint: baseUrl + OAUTH_PATHS.token,
    registration_endpoint: baseUrl + OAUTH_PATHS.register,
    revocation_endpoint: baseUrl + OAUTH_PATHS.revoke,
    scopes_supported: [...SCOPES, OFFLINE],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: AUTH_METHODS,
    revocation_endpoint_auth_methods_supported: AUTH_METHODS,
    authorization_response_iss_parameter_supported: true,
  }
}

/**
 * The same for clients that look for OpenID Connect alone, with the fields that its discovery
 * demands (OpenID Connect Discovery, 3). No id tokens are issued, and no key signs anything: `openid`
 * is not among the scopes, and the set of keys is empty.
 */
function openIdMetadata(baseUrl: string): object {
  return {
    ...serverMetadata(baseUrl),
    jwks_uri: baseUrl + OAUTH_PATHS.keys,
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
  }
}
