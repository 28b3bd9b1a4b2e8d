import { AUTH_METHODS } from './model/client.ts'
import { issuerOf, OAUTH_PATHS, resourceOf } from './model/issuer.ts'
import { OFFLINE, SCOPES } from './model/scope.ts'

/** Names the authorization server of the MCP address (RFC 9728, 2). */
export function resourceMetadata(baseUrl: string): object {
  return {
    resource: resourceOf(baseUrl),
    authorization_servers: [issuerOf(baseUrl)],
    scopes_supported: SCOPES,
    bearer_methods_supported: ['header'],
    resource_name: 'Beckon',
  }
}

/** Says where and how clients ask (RFC 8414, 2). */
export function serverMetadata(baseUrl: string): object {
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
    client_id_metadata_document_supported: true,
  }
}

/**
 * The same for clients that look for OpenID Connect alone, with the fields that its discovery
 * demands (OpenID Connect Discovery, 3). No id tokens are issued, and no key signs anything: `openid`
 * is not among the scopes, and the set of keys is empty.
 */
export function openIdMetadata(baseUrl: string): object {
  return {
    ...serverMetadata(baseUrl),
    jwks_uri: baseUrl + OAUTH_PATHS.keys,
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
  }
}
