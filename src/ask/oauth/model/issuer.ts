import { SCOPES } from './scope.ts'

/** The MCP address that asks for a sign-in. */
export const SIGN_IN_MCP_PATH = '/mcp'
/** Everything of the authorization server is below it. */
export const ISSUER_PATH = '/oauth2'
/**
 * The path of the metadata, for the MCP address only (RFC 9728, 3.1): the root and other addresses
 * have none.
 */
export const RESOURCE_METADATA_PATH = `/.well-known/oauth-protected-resource${SIGN_IN_MCP_PATH}`

export const OAUTH_PATHS = {
  authorize: `${ISSUER_PATH}/authorize`,
  token: `${ISSUER_PATH}/token`,
  register: `${ISSUER_PATH}/register`,
  revoke: `${ISSUER_PATH}/revoke`,
  keys: `${ISSUER_PATH}/jwks`,
} as const

/** The name of the authorization server, compared byte for byte (RFC 9207, 2.4): no slash at the end. */
export function issuerOf(baseUrl: string): string {
  return baseUrl + ISSUER_PATH
}

/** The audience of every token that is issued (RFC 8707). */
export function resourceOf(baseUrl: string): string {
  return baseUrl + SIGN_IN_MCP_PATH
}

/** `WWW-Authenticate` of a refusal at the MCP address (RFC 9728, 5.1; RFC 6750, 3). */
export function challenge(
  baseUrl: string,
  { error, scopes = SCOPES }: { error?: string; scopes?: readonly string[] } = {},
): string {
  const parameters = [
    ...(error ? [`error="${error}"`] : []),
    `resource_metadata="${baseUrl}${RESOURCE_METADATA_PATH}"`,
    `scope="${scopes.join(' ')}"`,
  ]
  return `Bearer ${parameters.join(', ')}`
}

/** In the metadata of the server, if it does not take documents of clients: `off` or `failing`. */
export const DOCUMENTS_MEMBER = 'beckon_client_documents'
