import type { Agent } from '../accounts/model/agent.ts'
import type { Person } from '../accounts/model/person.ts'
import { type Callers, signedIn } from './route.ts'

export type EitherCaller =
  | { agent: Agent; person?: undefined }
  | { person: Person; agent?: undefined }

/** The guard of a route that agents with a token and people who are signed in may read. */
export async function eitherCaller(
  { authentication, limits }: Callers,
  request: Request,
): Promise<EitherCaller> {
  const { headers } = request
  // Whoever sends nothing is told of tokens, since browsers send cookies.
  if (!headers.has('authorization') && headers.has('cookie'))
    return { person: await signedIn(authentication, request) }
  const agent = await authentication.agentFrom(request)
  limits.token.take(agent.tokenId)
  return { agent }
}
