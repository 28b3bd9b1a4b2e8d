import type { Read } from '../../platform/db/database.ts'
import { cleanLine, cutText } from '../../platform/text.ts'
import { ownerOf } from '../accounts/model/agent.ts'
import type { WorkspaceId } from '../accounts/model/ids.ts'
import { listPeople } from '../accounts/model/person-store.ts'
import { listTokens } from '../accounts/model/token-store.ts'
import { type Check, warnedCheck } from '../check.ts'

const NAME_MAX = 60
const TOKENS_MAX = 5

/**
 * Checks that each token belongs to somebody: rules that leave out whoever asks refuse the others.
 * No row where all do, or where one person is here.
 */
export async function ownerChecks(
  read: Read,
  workspaces: readonly WorkspaceId[],
): Promise<Check[]> {
  const lists = await Promise.all(workspaces.map((id) => nobodysTokens(read, id)))
  const names = lists.flat().map(({ name }) => `“${cutText(cleanLine(name), NAME_MAX)}”`)
  if (names.length === 0) return []
  const more = names.length - TOKENS_MAX
  const listed = `${names.slice(0, TOKENS_MAX).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
  const message = `Nobody here owns ${listed}. Rules that say who may decide refuse their calls.`
  const cure = 'Hand them over under Settings, Agent tokens.'
  return [warnedCheck('people', 'Owners of tokens', message, cure)]
}

async function nobodysTokens(read: Read, workspaceId: WorkspaceId) {
  const people = await listPeople(read, workspaceId)
  if (people.length < 2) return []
  const tokens = await listTokens(read, workspaceId)
  return tokens.filter((token) => token.revokedAt === null && ownerOf(token) === undefined)
}
