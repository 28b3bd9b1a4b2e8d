import { Type } from '@sinclair/typebox'
import { isoTime } from '../../platform/clock.ts'
import { Failure } from '../../platform/failure.ts'
import { withdrawVote } from '../answering/cast-vote.ts'
import { claimQuestion, releaseClaim } from '../claims/claim-question.ts'
import type { Sender } from '../delivery/model/sender.ts'
import type { EndQuestionDeps } from '../questions/end-question.ts'
import { type EitherCaller, eitherCaller } from '../rest/either-caller.ts'
import { openRoute, personRoute, type Route } from '../rest/route.ts'
import { IS_ASKER, NOT_A_DECIDER } from '../votes/model/refusals.ts'
import type { QuestionId } from '../wire/ids.ts'
import { Approval, readApproval } from './approval.ts'

type Deps = EndQuestionDeps & { sender: Sender }

const getApproval = openRoute(
  {
    method: 'GET',
    path: '/questions/:id/approval',
    summary:
      'Who has to agree to a question, who has, and who looks after it; signed in also whether a yes of yours would count.',
    result: Approval,
    problems: ['unauthenticated', 'not_found'],
  },
  (deps: Deps, { caller, params }) =>
    readApproval(deps, caller as EitherCaller, params.id as QuestionId),
)

const deleteVote = personRoute(
  {
    method: 'DELETE',
    path: '/questions/:id/vote',
    summary: 'Take back your vote while the question is open; `answer` gives it anew.',
    problems: ['not_found'],
  },
  async (deps: Deps, { person: { workspaceId, id: by }, params }) => {
    if (await withdrawVote(deps, { workspaceId, questionId: params.id as QuestionId, by })) return
    throw new Failure('not_found', 'There is no vote of yours on an open question of this id.')
  },
)

const postClaim = personRoute(
  {
    method: 'POST',
    path: '/questions/:id/claim',
    summary:
      'Take a question that you may decide, for five minutes, once: nobody else is told meanwhile, and everybody may still decide.',
    result: Type.Object({
      correlationId: Type.String(),
      until: Type.String({ format: 'date-time' }),
    }),
    status: 201,
    problems: [NOT_A_DECIDER, IS_ASKER, 'not_found', 'conflict', 'too_late'],
  },
  async (deps: Deps, { person: { workspaceId, id: by }, params }) => {
    const of = { workspaceId, questionId: params.id as QuestionId, by }
    const { questionId, until } = await claimQuestion(deps, of)
    return { correlationId: questionId, until: isoTime(until) }
  },
)

const deleteClaim = personRoute(
  {
    method: 'DELETE',
    path: '/questions/:id/claim',
    summary: 'Give back a question that you took; you cannot take it again.',
    problems: ['not_found'],
  },
  async (deps: Deps, { person: { id: by }, params }) => {
    if (await releaseClaim(deps, { questionId: params.id as QuestionId, by })) return
    throw new Failure('not_found', 'You have not taken a question of this id.')
  },
)

/** What several people decide: their standing, votes and claims. */
export const voteRoutes: readonly Route<Deps>[] = [
  { ...getApproval, guard: eitherCaller },
  deleteVote,
  postClaim,
  deleteClaim,
]
