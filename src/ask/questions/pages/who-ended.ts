import type { Db } from '../../../platform/db/database.ts'
import type { SignedIn } from '../../pages/visit.ts'
import { whoEnded as nameOfWhoEnded } from '../about-question.ts'
import type { Question } from '../model/question.ts'

/** The name of who ended a question, or "you"; undefined if nobody did or it is not known. */
export async function whoEnded(deps: { db: Db }, { person }: SignedIn, question: Question) {
  return question.answeredBy === person.id ? 'you' : await nameOfWhoEnded(deps, question)
}
