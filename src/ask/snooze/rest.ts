import { type Static, Type } from '@sinclair/typebox'
import { type Clock, isoTime } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { Failure } from '../../platform/failure.ts'
import { problemResponse } from '../../platform/http/errors.ts'
import { oneOf } from '../../platform/schema.ts'
import { statusAt } from '../questions/model/lifecycle.ts'
import { outcomeOf } from '../questions/model/question-views.ts'
import { SNOOZE_LENGTHS } from '../questions/model/snooze.ts'
import { personRoute, type Route, withDeps } from '../rest/route.ts'
import type { QuestionId } from '../wire/ids.ts'
import { showAgain, snoozeQuestion } from './snooze-question.ts'

type Deps = { db: Db; clock: Clock }

/** A question that the person who asks snoozed. */
export const ShownSnooze = Type.Object({
  correlationId: Type.String(),
  until: Type.String({ format: 'date-time', description: 'When it comes back by itself.' }),
})

export function shownSnooze(id: QuestionId, until: number): Static<typeof ShownSnooze> {
  return { correlationId: id, until: isoTime(until) }
}

const postSnooze = personRoute(
  {
    method: 'POST',
    path: '/questions/:id/snooze',
    unproven: true,
    summary:
      'Leave a question out of your inbox for a while. It is no answer: the agent waits on, and others see it. It is back a minute before it ends.',
    input: Type.Object(
      {
        for: oneOf(SNOOZE_LENGTHS, { description: 'until_end: until a minute before it ends.' }),
      },
      { additionalProperties: false },
    ),
    result: ShownSnooze,
    problems: ['not_found', 'too_late'],
  },
  async (deps: Deps, { person, params, input }) => {
    const id = params.id as QuestionId
    const { question, until } = await snoozeQuestion(deps, person, id, input.for)
    if (until !== undefined) return shownSnooze(id, until)
    const now = deps.clock.now()
    const outcome = outcomeOf(question, now)
    const why =
      statusAt(question, now) === 'pending'
        ? 'This question ends within a minute, so it stays in the inbox.'
        : `Too late: this question is already ${outcome.status}.`
    return problemResponse(new Failure('too_late', why), { outcome })
  },
)

const deleteSnooze = personRoute(
  {
    method: 'DELETE',
    path: '/questions/:id/snooze',
    unproven: true,
    summary: 'Show a question again that you snoozed.',
    problems: ['not_found'],
  },
  (deps: Deps, { person, params }) => showAgain(deps, person, params.id as QuestionId),
)

export function snoozeRoutes(deps: Deps): Route[] {
  return withDeps(deps, [postSnooze, deleteSnooze])
}
