import type { Read } from '../../platform/db/database.ts'
import type { TokenId } from '../accounts/model/ids.ts'
import type { Viewer } from '../accounts/model/person.ts'
import { listVisibleNotifications } from '../notifications/model/trail-store.ts'
import { listVisibleQuestions } from '../questions/model/trail-store.ts'
import { sees } from '../visibility/model/store.ts'
import type { NotificationId, QuestionId } from '../wire/ids.ts'
import type { SourceRow } from './audit-sources.ts'

/**
 * Leaves out the entries that a viewer does not see: they see what they did themselves, and what is
 * about questions, notifications and tokens that they see.
 */
export async function withoutUnseen(
  read: Read,
  viewer: Viewer,
  rows: SourceRow[],
): Promise<SourceRow[]> {
  if (viewer.sees === undefined) return rows
  const ids = rows.flatMap(({ entry }) => entry?.subjectId ?? [])
  const visible = new Set<string>([
    ...(await listVisibleQuestions(read, viewer, ids.filter(isQuestion))),
    ...(await listVisibleNotifications(read, viewer, ids.filter(isNotification))),
    ...(await listVisibleTokens(read, viewer, ids.filter(isToken))),
  ])
  return rows.map((row) => {
    const { subjectId, personId } = row.entry ?? {}
    const isTheirs = personId === viewer.id || visible.has(subjectId ?? '')
    return isTheirs ? row : { ...row, entry: undefined }
  })
}

async function listVisibleTokens(read: Read, viewer: Viewer, ids: readonly TokenId[]) {
  const visible: TokenId[] = []
  for (const tokenId of new Set(ids)) {
    if (await sees(read, viewer, { tokenId })) visible.push(tokenId)
  }
  return visible
}

const isQuestion = (id: string): id is QuestionId => id.startsWith('q_')
const isNotification = (id: string): id is NotificationId => id.startsWith('n_')
const isToken = (id: string): id is TokenId => id.startsWith('key_')
