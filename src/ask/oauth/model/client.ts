import { cleanLine, codePoints, cutText, isBlank } from '../../../platform/text.ts'
import type { PersonId, WorkspaceId } from '../../accounts/model/ids.ts'
import { isOfDomain, placeOf, wrongRedirectUri } from './redirect-uri.ts'

/** How a client became known: it registered, its own document says so, or an owner made it. */
export type ClientKind = 'registered' | 'document' | 'made'

export const AUTH_METHODS = ['none', 'client_secret_post', 'client_secret_basic'] as const
export type AuthMethod = (typeof AUTH_METHODS)[number]

export type OAuthClient = {
  id: string
  kind: ClientKind
  name: string
  redirectUris: string[]
  authMethod: AuthMethod
  secretHash: string | null
  refreshes: boolean
  workspaceId: WorkspaceId | null
  createdBy: PersonId | null
  createdAt: number
  usedAt: number | null
  freshUntil: number | null
}

/** The metadata of a client (RFC 7591, 2), as far as it is used. */
export type ClientMetadata = Pick<OAuthClient, 'name' | 'redirectUris' | 'authMethod' | 'refreshes'>

/** Why metadata are refused, in the words of RFC 7591, 3.2.2. */
export type WrongMetadata = {
  error: 'invalid_redirect_uri' | 'invalid_client_metadata'
  description: string
}

const URIS_MAX = 10
/** How many code points of the name of a client are shown. */
export const NAME_MAX = 80

/**
 * Reads what a client says about itself. `application_type` is ignored: the allowed addresses
 * follow from the address itself, and many clients leave the field out or say `web` for a program.
 */
export function readMetadata(metadata: Record<string, unknown>): ClientMetadata | WrongMetadata {
  const uris = metadata.redirect_uris
  if (!Array.isArray(uris) || uris.length === 0 || uris.length > URIS_MAX) {
    return wrongUri(`redirect_uris must list 1 to ${URIS_MAX} addresses`)
  }
  for (const uri of uris) {
    const wrong = typeof uri === 'string' ? wrongRedirectUri(uri) : 'is not a text'
    if (wrong) return wrongUri(`${typeof uri === 'string' ? cutText(uri, 200) : 'One'} ${wrong}`)
  }
  // A program on people's devices keeps no secret (RFC 8252, 8.4), and some do not say so.
  const usual = uris.every(isOfDomain) ? 'client_secret_basic' : 'none'
  const method = metadata.token_endpoint_auth_method ?? usual
  const authMethod = AUTH_METHODS.find((candidate) => candidate === method)
  if (!authMethod) return wrong(`token_endpoint_auth_method must be ${AUTH_METHODS.join(', ')}`)
  const types = metadata.response_types ?? ['code']
  if (!Array.isArray(types) || !types.includes('code')) {
    return wrong('response_types must include code')
  }
  // A client that says nothing gets refresh tokens; without them its people would sign in every
  // hour.
  const grants = metadata.grant_types ?? ['authorization_code', 'refresh_token']
  if (!Array.isArray(grants) || !grants.includes('authorization_code')) {
    return wrong('grant_types must include authorization_code')
  }
  return {
    name: nameOf(metadata.client_name, uris[0]),
    redirectUris: uris,
    authMethod,
    refreshes: grants.includes('refresh_token'),
  }
}

/** The name on one line; a client without a name is called by its address. */
function nameOf(value: unknown, firstUri: string): string {
  const name = typeof value === 'string' ? cleanLine(value) : ''
  if (isBlank(name)) return placeOf(firstUri)
  return codePoints(name) > NAME_MAX ? cutText(name, NAME_MAX) : name
}

function wrongUri(description: string): WrongMetadata {
  return { error: 'invalid_redirect_uri', description: `${description}.` }
}

function wrong(description: string): WrongMetadata {
  return { error: 'invalid_client_metadata', description: `${description}.` }
}

/** The host that a client is known by: only its own document proves one. */
export function hostOf({ kind, id }: Pick<OAuthClient, 'kind' | 'id'>): string | null {
  return kind === 'document' ? new URL(id).host : null
}
