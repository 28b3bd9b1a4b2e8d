import { Failure } from '../../platform/failure.ts'
import { holdsToken } from '../accounts/model/agent.ts'
import { TOKEN_ENDED } from '../accounts/model/agents.ts'

const TOKEN_MISSING =
  'A token is needed: send "Authorization: Bearer bk_…". Create one under Settings or with "beckon key create".'
const TOKEN_IN_ADDRESS =
  'A token was sent in the address, where it is not read: addresses end up in logs and histories. Send it as "Authorization: Bearer bk_…", and replace it, since others may have seen it.'
const SECRET_PARAMETER = /[?&](access_?token|token|api_?key|key|auth|authorization|bearer)=/i
/** Why a token is refused, for whoever sent it. */
export const TOKEN_REFUSALS = {
  wrong: 'This token is not valid. Check that all of it was copied, or create a new one.',
  ...TOKEN_ENDED,
}

/** The token of a request. Throws `unauthenticated` without one. */
export function bearerToken({ url, headers }: Request): string {
  const token = /^Bearer +(\S+) *$/i.exec(headers.get('authorization') ?? '')?.[1]
  if (token) return token
  const misplaced = holdsToken(url) || SECRET_PARAMETER.test(url)
  throw new Failure('unauthenticated', misplaced ? TOKEN_IN_ADDRESS : TOKEN_MISSING)
}
