import type { PersonId, WorkspaceId } from '../../../platform/ids.ts'

export type Role = 'owner' | 'member'

/** A signed-in person, in the workspace they look at. */
export type Person = {
  id: PersonId
  name: string
  email: string
  workspaceId: WorkspaceId
  role: Role
}
