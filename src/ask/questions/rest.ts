import { Type } from '@sinclair/typebox'
import { agentRoute } from '../rest/route.ts'
import { AskUserInput } from '../wire/ask-fields.ts'
import { CancelInput, cancelInput, WaitInput, waitInput } from '../wire/follow-up-fields.ts'
import { withoutIgnored } from '../wire/ignored-fields.ts'
import { AskUserResult, CancelResult, WaitResult } from '../wire/result-fields.ts'
import { askUser } from './ask-user.ts'
import { cancelQuestion } from './cancel-question.ts'
import { waitForAnswer } from './wait-for-answer.ts'

export const postQuestion = agentRoute(
  {
    method: 'POST',
    path: '/questions',
    summary: 'Ask a person and wait for the answer (ask_user).',
    input: AskUserInput,
    tidy: withoutIgnored,
    result: AskUserResult,
    waits: true,
  },
  (deps, { input, call }) => askUser(deps, input, call),
)

export const getQuestion = agentRoute(
  {
    method: 'GET',
    path: '/questions/:id',
    summary: 'Wait for the answer to a question that is open (wait_for_answer).',
    input: Type.Omit(WaitInput, ['correlationId']),
    result: WaitResult,
    waits: true,
  },
  (deps, { input, params, call }) =>
    waitForAnswer(deps, waitInput.parse({ ...input, correlationId: params.id }), call),
)

export const postCancel = agentRoute(
  {
    method: 'POST',
    path: '/questions/:id/cancel',
    summary: 'Withdraw a question (cancel_question).',
    input: Type.Omit(CancelInput, ['correlationId']),
    optionalBody: true,
    result: CancelResult,
    problems: ['forbidden'],
  },
  (deps, { input, params, call }) =>
    cancelQuestion(deps, cancelInput.parse({ ...input, correlationId: params.id }), call),
)
