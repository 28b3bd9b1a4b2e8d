import type { Tx } from '../../platform/db/database.ts'
import { newId } from '../../platform/ids.ts'
import { cutText } from '../../platform/text.ts'
import type { TokenId, WorkspaceId } from '../accounts/model/ids.ts'
import { type Sighting, sightSession } from './model/store.ts'

const ACTION_MAX = 200

/** Stores the sighting and notifies pages that show the session; resolves to whether it is new. */
export async function seeSession(tx: Tx, current: Sighting): Promise<boolean> {
  const id = await sightSession(tx, current)
  if (id !== undefined) tx.emit('session', id)
  return id === current.id
}

/** A question or notification, as far as it names its session. */
type SessionSubject = {
  workspaceId: WorkspaceId
  tokenId: TokenId
  machineId: string | undefined
  sessionId: string | undefined
  createdAt: number
  test: boolean
}
type SightingDetails = Required<
  Pick<Sighting, 'agentName' | 'repoKey' | 'lastAction' | 'errored' | 'at'>
> &
  Pick<Sighting, 'intent'>

/** Returns the facts that a call reports about its session; undefined if it names none. */
export function sightingOf(of: SessionSubject, facts: SightingDetails): Sighting | undefined {
  const { workspaceId, tokenId, machineId = '', sessionId, createdAt, test } = of
  if (sessionId === undefined) return undefined
  return {
    ...facts,
    workspaceId,
    tokenId,
    machineId,
    sessionId,
    test,
    id: newId('ses', createdAt),
    client: undefined,
    lastAction: cutText(facts.lastAction, ACTION_MAX),
  }
}
