import type { Db } from '../../platform/db/database.ts'
import { findPerson } from '../accounts/model/person-store.ts'
import { holderWords, type Question } from './model/question.ts'

/**
 * A person's name; for somebody in a chat, their name there; otherwise what they answered by.
 * Undefined if that is not known.
 */
export async function whoEnded({ db }: { db: Db }, question: Question) {
  const { answeredBy, answeredAs, answeredOn } = question
  const person = answeredBy === undefined ? undefined : await findPerson(db.read, answeredBy)
  return person?.name ?? answeredAs ?? (answeredOn && holderWords(answeredOn))
}
