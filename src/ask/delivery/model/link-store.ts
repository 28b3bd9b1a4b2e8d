import { and, eq, inArray } from 'drizzle-orm'
import type { Read, Tx } from '../../../platform/db/database.ts'
import type { QuestionId, SubjectId } from '../../wire/ids.ts'
import type { AnswerLink } from './links.ts'
import { usedLinks } from './table.ts'

/** Uses a link up; false if it was used before. */
export async function useLink(tx: Tx, link: AnswerLink, at: number): Promise<boolean> {
  const rows = await tx
    .insert(usedLinks)
    .values({ ...link, at })
    .onConflictDoNothing()
    .returning()
  return rows.length > 0
}

export async function isLinkUsed(read: Read, link: AnswerLink): Promise<boolean> {
  const rows = await read
    .select({ at: usedLinks.at })
    .from(usedLinks)
    .where(
      and(
        eq(usedLinks.questionId, link.questionId),
        eq(usedLinks.subscriberId, link.subscriberId),
        eq(usedLinks.purpose, link.purpose),
      ),
    )
  return rows.length > 0
}

/** Deletes the links of questions that are purged. */
export async function deleteLinks(tx: Tx, subjects: ReadonlyArray<SubjectId>): Promise<void> {
  if (subjects.length === 0) return
  await tx.delete(usedLinks).where(inArray(usedLinks.questionId, [...subjects] as QuestionId[]))
}
