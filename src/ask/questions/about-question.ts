import type { Db } from '../../platform/db/database.ts'
import type { WorkspaceId } from '../accounts/model/ids.ts'
import { findPerson } from '../accounts/model/person-store.ts'
import type { QuestionId, SubjectId } from '../wire/ids.ts'
import { holderWords, type Question } from './model/question.ts'
import { findQuestion } from './model/store.ts'

/** A question with the name of who ended it, for channels that show more than a push does. */
export type AboutQuestion = { question: Question; who: string | undefined }

/** The question of a message; undefined for a notification without one. */
export async function aboutQuestion(
  { db }: { db: Db },
  workspaceId: WorkspaceId,
  subject: SubjectId,
): Promise<AboutQuestion | undefined> {
  const question = await findQuestion(db.read, workspaceId, subject as QuestionId)
  return question && { question, who: await whoEnded({ db }, question) }
}

/**
 * A person's name; for somebody in a chat, their name there; otherwise what they answered by.
 * Undefined if that is not known.
 */
export async function whoEnded({ db }: { db: Db }, question: Question) {
  const { answeredBy, answeredAs, answeredOn } = question
  const person = answeredBy === undefined ? undefined : await findPerson(db.read, answeredBy)
  return person?.name ?? answeredAs ?? (answeredOn && holderWords(answeredOn))
}
