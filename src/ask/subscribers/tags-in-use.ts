import type { Db } from '../../platform/db/database.ts'
import type { WorkspaceId } from '../accounts/model/ids.ts'
import { listSubscribers } from './model/store.ts'

type Deps = { db: Db }

const TAGS_SHOWN = 12

/** The tags of a workspace's devices, as a sentence; an empty text if no device has a tag. */
export async function tagsInUse({ db }: Deps, workspaceId: WorkspaceId): Promise<string> {
  const devices = await listSubscribers(db.read, workspaceId)
  const tags = [...new Set(devices.flatMap((device) => device.tags))].sort().slice(0, TAGS_SHOWN)
  return tags.length > 0 ? `Your devices carry: ${tags.join(', ')}.` : ''
}
