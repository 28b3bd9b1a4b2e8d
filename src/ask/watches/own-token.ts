import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { type AgentToken, isForNobody, OWN_WATCHES } from '../accounts/model/agent.ts'
import type { PersonId, WorkspaceId } from '../accounts/model/ids.ts'
import { listLiveTokens } from '../accounts/model/token-store.ts'
import { createToken } from '../tokens/agent-tokens.ts'

/** The token in whose name a person is told of the catalog; nobody has its secret. */
export async function watchToken(
  deps: { db: Db; clock: Clock },
  { workspaceId, personId }: { workspaceId: WorkspaceId; personId: PersonId },
): Promise<AgentToken> {
  const tokens = await listLiveTokens(deps.db.read, { workspaceId, createdBy: personId })
  const own = tokens.find((token) => token.name === OWN_WATCHES && isForNobody(token))
  return own ?? (await createToken(deps, { workspaceId, name: OWN_WATCHES, by: personId })).record
}
