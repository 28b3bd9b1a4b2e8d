import type { Db, Read } from '../platform/db/database.ts'
import type { TokenId } from './accounts/model/ids.ts'
import type { Person } from './accounts/model/person.ts'
import { readGrant } from './grants/model/store.ts'
import { findNotification } from './notifications/model/store.ts'
import { findQuestion } from './questions/model/store.ts'
import type { AgentSessionId } from './sessions/model/session.ts'
import { findSession } from './sessions/model/store.ts'
import { type Seen, sees } from './visibility/model/store.ts'
import type { NotificationId, QuestionId, SubjectId } from './wire/ids.ts'

/**
 * Replaces the ids in an address of what a person does not see by ids that nothing has: whatever a
 * route does, it answers as for a thing that is missing.
 */
export function hideUnseen({ db }: { db: Db }) {
  return async (person: Person, params: Record<string, string>) => {
    if (person.sees === undefined) return params
    const pairs = Object.entries(params).map(async ([name, id]) => {
      const row = await findSeen(db.read, person, id)
      const isHidden = row !== undefined && !(await sees(db.read, person, row))
      return [name, isHidden ? nothingLike(id) : id] as const
    })
    return Object.fromEntries(await Promise.all(pairs))
  }
}

/** By what the thing with an id is seen; undefined if there is none. */
async function findSeen(
  read: Read,
  { workspaceId }: Person,
  id: string,
): Promise<Seen<TokenId | undefined, SubjectId> | undefined> {
  const [kind] = id.split('_', 1)
  if (kind === 'ses') {
    const session = await findSession(read, workspaceId, id as AgentSessionId)
    return session && { tokenId: session.tokenId }
  }
  if (kind === 'q') return about(await findQuestion(read, workspaceId, id as QuestionId))
  if (kind === 'n') return about(await findNotification(read, workspaceId, id as NotificationId))
  if (kind !== 'grant') return undefined
  const grant = await readGrant(read, workspaceId, id)
  return grant && about({ id: grant.questionId, tokenId: grant.tokenId })
}

function about(row: { id: SubjectId; tokenId: TokenId } | undefined) {
  return row && { subjectId: row.id, tokenId: row.tokenId }
}

function nothingLike(id: string): string {
  return `${id.split('_', 1)[0]}_0`
}
