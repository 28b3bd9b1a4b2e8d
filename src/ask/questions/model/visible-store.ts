import { and, eq } from 'drizzle-orm'
import type { Read } from '../../../platform/db/database.ts'
import type { Viewer } from '../../accounts/model/person.ts'
import { isVisible, sees } from '../../visibility/model/store.ts'
import type { Question } from './question.ts'
import { questions } from './table.ts'

/** The questions of a workspace that a viewer sees. */
export function isShown(read: Read, viewer: Viewer) {
  return and(
    eq(questions.workspaceId, viewer.workspaceId),
    isVisible(read, { tokenId: questions.tokenId, subjectId: questions.id }, viewer),
  )
}

/** As `isShown`, for a question of the workspace that was read. */
export function seesQuestion(
  read: Read,
  viewer: Viewer,
  { id: subjectId, tokenId }: Pick<Question, 'id' | 'tokenId'>,
): Promise<boolean> {
  return sees(read, viewer, { tokenId, subjectId })
}
