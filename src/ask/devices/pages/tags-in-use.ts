import type { WorkspaceId } from '../../../platform/ids.ts'
import type { PageDeps } from '../../pages/page-deps.ts'
import { listSubscribers } from '../model/store.ts'

const TAGS_SHOWN = 12

/** Which tags the devices of a workspace carry, in a sentence; empty when they carry none. */
export async function tagsInUse({ db }: PageDeps, workspaceId: WorkspaceId): Promise<string> {
  const devices = await listSubscribers(db.read, workspaceId)
  const tags = [...new Set(devices.flatMap((device) => device.tags))].sort().slice(0, TAGS_SHOWN)
  return tags.length > 0 ? `Your devices carry: ${tags.join(', ')}.` : ''
}
