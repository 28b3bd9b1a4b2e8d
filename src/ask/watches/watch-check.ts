import type { Read } from '../../platform/db/database.ts'
import { cleanLine, cutText } from '../../platform/text.ts'
import type { WorkspaceId } from '../accounts/model/ids.ts'
import { type Check, warnedOfEach } from '../check.ts'
import { listFailed } from './model/store.ts'

const ADDRESS_MAX = 80

/** Names the programs that are not told of the catalog any more, because their address failed. */
export async function watchChecks(
  read: Read,
  workspaces: readonly WorkspaceId[],
): Promise<Check[]> {
  const failed = (await Promise.all(workspaces.map((id) => listFailed(read, id)))).flat()
  if (failed.length === 0) return []
  const sentences = failed.map(({ url = '', stoppedWhy = '' }) => {
    return `${cutText(cleanLine(URL.parse(url)?.origin ?? url), ADDRESS_MAX)}: ${stoppedWhy}`
  })
  const cure = 'Mend the address and post the same watch to /api/v1/watches again, or remove it.'
  return [warnedOfEach('people', 'News for programs', sentences, cure)]
}
