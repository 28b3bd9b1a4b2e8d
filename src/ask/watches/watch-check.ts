import type { Read } from '../../platform/db/database.ts'
import { cleanLine, cutText } from '../../platform/text.ts'
import type { WorkspaceId } from '../accounts/model/ids.ts'
import { type Check, warnedCheck } from '../check.ts'
import { listFailed } from './model/store.ts'

const SHOWN_MAX = 3
const ADDRESS_MAX = 80

/** Names the programs that are not told of the catalog any more, because their address failed. */
export async function watchChecks(
  read: Read,
  workspaces: readonly WorkspaceId[],
): Promise<Check[]> {
  const failed = (await Promise.all(workspaces.map((id) => listFailed(read, id)))).flat()
  if (failed.length === 0) return []
  const some = failed.slice(0, SHOWN_MAX).map(({ url = '', stoppedWhy = '' }) => {
    return `${cutText(cleanLine(URL.parse(url)?.origin ?? url), ADDRESS_MAX)}: ${stoppedWhy}`
  })
  const more = failed.length - some.length
  const message = [...some, ...(more > 0 ? [`${more} more like that.`] : [])].join(' ')
  const cure = 'Mend the address and post the same watch to /api/v1/watches again, or remove it.'
  return [warnedCheck('people', 'News for programs', message, cure)]
}
