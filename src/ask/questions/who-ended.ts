import type { Db } from '../../platform/db/database.ts'
import type { PersonId } from '../accounts/model/ids.ts'
import { findPerson } from '../accounts/model/person-store.ts'
import type { QuestionId } from '../wire/ids.ts'
import { holderWords, type Question } from './model/question.ts'

/**
 * A person's name; for somebody in a chat, their name there; otherwise what they answered by.
 * Undefined if that is not known.
 */
export async function whoEnded({ db }: { db: Db }, question: Question) {
  return (await readWhoEnded({ db }, [question])).get(question.id)
}

/** As `whoEnded`, of several questions; `viewer` is "you". */
export async function readWhoEnded(
  { db }: { db: Db },
  questions: readonly Question[],
  viewer?: PersonId,
): Promise<ReadonlyMap<QuestionId, string>> {
  const ids = new Set(questions.flatMap(({ answeredBy }) => answeredBy ?? []))
  const people = await Promise.all(
    [...ids].map(async (id) => {
      const name = id === viewer ? 'you' : (await findPerson(db.read, id))?.name
      return [id, name] as const
    }),
  )
  const names = new Map(people)
  const pairs = questions.map(({ id, answeredBy, answeredAs, answeredOn }) => {
    const person = answeredBy && names.get(answeredBy)
    return [id, person ?? answeredAs ?? (answeredOn && holderWords(answeredOn))] as const
  })
  return new Map(pairs.filter((pair): pair is [QuestionId, string] => pair[1] !== undefined))
}
