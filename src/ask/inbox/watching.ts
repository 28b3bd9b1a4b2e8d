import { type Static, Type } from '@sinclair/typebox'
import type { Db } from '../../platform/db/database.ts'
import type { Person } from '../accounts/model/person.ts'
import { findVisible, noSuchQuestion } from '../questions/find-visible.ts'
import { namesWords } from '../votes/model/requirement.ts'
import type { QuestionId } from '../wire/ids.ts'

/** What rules that only watch would have asked for of a question, as they were when it was asked. */
export const Watching = Type.Object({
  rules: Type.Array(
    Type.Object({
      id: Type.String(),
      rule: Type.String({ description: 'Its name in the policy file, or what it is for.' }),
      needs: Type.Optional(
        Type.Array(
          Type.Object({
            from: Type.String({ description: 'Groups or people, by name.' }),
            need: Type.Integer({ description: 'How many of them.' }),
          }),
          { description: 'Who would have had to agree; missing: it would have declined.' },
        ),
      ),
      byDecider: Type.Optional(
        Type.Boolean({
          description:
            'Whether whoever answered could have agreed by it; missing: not known, or nobody has.',
        }),
      ),
    }),
  ),
})

/** Throws `not_found` for a question that the viewer does not see. */
export async function readWatching(
  { db }: { db: Db },
  viewer: Person,
  id: QuestionId,
): Promise<Static<typeof Watching>> {
  const question = await findVisible(db.read, viewer, id)
  if (!question) throw noSuchQuestion()
  const { watched = [] } = question
  return {
    rules: watched.map(({ rule, approve, byDecider }) => ({
      id: rule.id,
      rule: rule.words,
      ...(approve && {
        needs: approve.places.map(({ from, need }) => ({ from: namesWords(from), need })),
      }),
      ...(byDecider !== undefined && { byDecider }),
    })),
  }
}
