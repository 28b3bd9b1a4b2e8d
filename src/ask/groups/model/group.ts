import type { Id } from '../../../platform/ids.ts'
import type { PersonId, WorkspaceId } from '../../accounts/model/ids.ts'

export type GroupId = Id<'group'>

/**
 * Who put somebody into a group, or made the group: an owner by hand, the policy file, a sign-in
 * provider, or a directory, the last two by their ids. What one of them changes leaves what the others say.
 */
export type GroupSource = 'hand' | 'file' | `provider:${string}` | `directory:${string}`

export type Group = {
  id: GroupId
  workspaceId: WorkspaceId
  /** Unique in the workspace; rules name groups by it, and keep the id. */
  name: string
  source: GroupSource
  /** The id of the group where it comes from. */
  externalId: string | undefined
  createdAt: number
}

/** A person of a group, once for each source that says so. */
export type GroupMember = { groupId: GroupId; personId: PersonId; source: GroupSource }
