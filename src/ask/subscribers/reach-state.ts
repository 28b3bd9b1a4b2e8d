import type { Read } from '../../platform/db/database.ts'
import type { WorkspaceId } from '../accounts/model/ids.ts'
import { countWords, type RowState } from '../settings-row.ts'
import { listSubscribers } from './model/store.ts'
import { failsNow, type Subscriber } from './model/subscriber.ts'

/** "5 of 14 devices fail", "14 devices", or `none` without any. */
export function reachState(devices: readonly Subscriber[], name: string, none: RowState): RowState {
  const failing = devices.filter(failsNow).length
  const all = countWords(devices.length, name, '')
  if (devices.length === 0) return none
  if (failing === 0) return { words: all }
  return {
    words: devices.length === 1 ? `${all}, and it fails` : `${failing} of ${all} fail`,
    tone: 'bad',
  }
}

/** The same for the chats of one channel, which has to be set up first. */
export async function chatState(
  read: Read,
  {
    workspaceId,
    transport,
    isSetUp,
  }: { workspaceId: WorkspaceId; transport: string; isSetUp: boolean },
): Promise<RowState> {
  const all = await listSubscribers(read, workspaceId)
  const chats = all.filter((device) => device.transport === transport)
  const none = { words: isSetUp ? 'Set up, nothing connected yet' : 'Not set up' }
  if (isSetUp) return reachState(chats, 'chat', none)
  return chats.length > 0 ? { words: 'Not set up, so its chats fail', tone: 'bad' } : none
}
