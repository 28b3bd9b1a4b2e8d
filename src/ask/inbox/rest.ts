import { Type } from '@sinclair/typebox'
import { together } from '../../platform/db/together.ts'
import { Failure } from '../../platform/failure.ts'
import { problemResponse } from '../../platform/http/errors.ts'
import { omitUndefined } from '../../platform/json.ts'
import { pageFields } from '../../platform/paging.ts'
import { oneOf } from '../../platform/schema.ts'
import { must, mustBeProvenFor } from '../accounts/model/person.ts'
import {
  type AnswerOutcome,
  answerInSandbox,
  answerQuestion,
} from '../answering/answer-question.ts'
import { cancelQuestion } from '../answering/cancel-question.ts'
import { handOver } from '../answering/hand-over.ts'
import { stopAgent } from '../answering/stop-agent.ts'
import { type AskUserDeps, askUser } from '../asking/ask-user.ts'
import { type DeviceReportDeps, quickAnswerer } from '../devices/device-reports.ts'
import type { EndQuestionDeps } from '../questions/end-question.ts'
import { answeredOn, GRANT_LENGTHS } from '../questions/model/question.ts'
import {
  outcomeOf,
  QuestionOutcome,
  ShownQuestion,
  shownQuestion,
} from '../questions/model/question-views.ts'
import { findQuestionById } from '../questions/model/store.ts'
import { seesQuestion } from '../questions/model/visible-store.ts'
import {
  agentRoute,
  type Callers,
  openRoute,
  personRoute,
  type Route,
  signedIn,
  withDeps,
} from '../rest/route.ts'
import { EditedPaths } from '../scopes/model/read-scope.ts'
import { ShownSnooze, shownSnooze } from '../snooze/rest.ts'
import { readSnoozed } from '../snooze/snooze-question.ts'
import type { Subscriber } from '../subscribers/model/subscriber.ts'
import { VOTE_REFUSALS } from '../votes/model/refusals.ts'
import { listOwn, OwnInput, OwnQuestions } from '../waiting/list-own.ts'
import { waitForAnswer } from '../waiting/wait-for-answer.ts'
import { withoutIgnored } from '../wire/ask-fields.ts'
import { CancelInput, cancelInput, WaitInput, waitInput } from '../wire/follow-up-fields.ts'
import type { QuestionId } from '../wire/ids.ts'
import { ProgramAskInput } from '../wire/program-fields.ts'
import { ANSWER_SOURCES, type AnswerSource } from '../wire/question-fields.ts'
import { AskUserResult, CancelResult, WaitResult } from '../wire/result-fields.ts'
import { INBOX_SIZE, readInboxPage } from './read-questions.ts'
import { voteRoutes } from './vote-routes.ts'
import { readWatching, Watching } from './watching.ts'

type Deps = AskUserDeps &
  EndQuestionDeps &
  Pick<DeviceReportDeps, 'quickAnswerSecret'> &
  Pick<Callers, 'authentication' | 'limits'>

const postQuestion = agentRoute(
  {
    method: 'POST',
    path: '/questions',
    summary: 'Ask a person and wait for the answer (ask_user).',
    input: ProgramAskInput,
    tidy: withoutIgnored,
    result: AskUserResult,
    waits: true,
  },
  (deps: Deps, { input, call }) => askUser(deps, input, call),
)

const getQuestions = agentRoute(
  {
    method: 'GET',
    path: '/questions',
    summary: 'List the questions that this token asked, the newest first.',
    input: OwnInput,
    result: OwnQuestions,
    problems: ['malformed'],
  },
  (deps: Deps, { input, call }) => listOwn(deps, call.caller, input),
)

const getQuestion = agentRoute(
  {
    method: 'GET',
    path: '/questions/:id',
    summary: 'Wait for the answer to a question that is open (wait_for_answer).',
    input: Type.Omit(WaitInput, ['correlationId']),
    result: WaitResult,
    waits: true,
  },
  (deps: Deps, { input, params, call }) =>
    waitForAnswer(deps, waitInput.parse({ ...input, correlationId: params.id }), call),
)

const postCancel = agentRoute(
  {
    method: 'POST',
    path: '/questions/:id/cancel',
    summary: 'Withdraw a question (cancel_question).',
    input: Type.Omit(CancelInput, ['correlationId']),
    optionalBody: true,
    result: CancelResult,
    problems: ['forbidden'],
  },
  (deps: Deps, { input, params, call }) =>
    cancelQuestion(deps, cancelInput.parse({ ...input, correlationId: params.id }), call),
)

const getInbox = personRoute(
  {
    method: 'GET',
    path: '/inbox',
    summary:
      'The questions that can be answered now, the nearest deadline first, without those you snoozed.',
    input: Type.Object(pageFields(INBOX_SIZE), { additionalProperties: false }),
    result: Type.Object({
      questions: Type.Array(ShownQuestion),
      total: Type.Integer({ description: 'How many there are, on all pages.' }),
      snoozed: Type.Array(ShownSnooze, { description: 'What you snoozed, on all pages.' }),
      next: Type.Optional(Type.String({ description: 'The cursor of the page after this one.' })),
    }),
    problems: ['malformed'],
  },
  async (deps: Deps, { person, input }) => {
    const page = { ...input, only: { viewer: person.id } }
    const { items, total, next } = await readInboxPage(deps, person, page)
    const snoozed = (await readSnoozed(deps, person)).map(({ question, until }) =>
      shownSnooze(question.id, until),
    )
    const questions = items.map((question) => shownQuestion(question, deps.clock.now()))
    return omitUndefined({ questions, total, snoozed, next })
  },
)

// Slack reports its answers itself, and the source of answers to test traffic follows from the
// question.
const NO_SURFACES: ReadonlySet<string> = new Set(['slack', 'telegram', 'sandbox'])
const SURFACES = ANSWER_SOURCES.filter((source) => !NO_SURFACES.has(source))

const AnswerInput = Type.Object(
  {
    value: Type.Union([Type.String(), Type.Array(Type.String(), { maxItems: 10 })], {
      description:
        'Exactly yes or no, a chosen option (several for multiSelect), or the typed text.',
    }),
    note: Type.Optional(Type.String({ description: 'Free text for the agent.' })),
    forSession: Type.Optional(
      Type.Boolean({
        description:
          'With yes, where the question has sessionAllows: for the rest of the session. Only signed in.',
      }),
    ),
    grant: Type.Optional(
      oneOf(GRANT_LENGTHS, {
        description:
          'With yes to the approval of a tool call: the same call is allowed for so long; with session_words every call that begins with the same words (beckon docs policy). Only signed in.',
      }),
    ),
    contract: Type.Optional({
      ...EditedPaths,
      description: 'With a yes to a scope: its paths, edited. A list left out stays as proposed.',
    } as typeof EditedPaths),
    arguments: Type.Optional(
      Type.Object(
        {},
        {
          additionalProperties: true,
          description:
            'With a yes where the question has `edit`: the arguments that it names, changed within its schema. One left out stays as it is. Only signed in.',
        },
      ),
    ),
    surface: Type.Optional(oneOf(SURFACES, { description: 'Where the person answers.' })),
    key: Type.Optional(
      Type.String({
        maxLength: 200,
        description: 'From a notification button: answers without a session.',
      }),
    ),
    subscriberId: Type.Optional(
      Type.String({ maxLength: 64, description: 'The device that `key` was made for.' }),
    ),
  },
  { additionalProperties: false },
)

const ANSWER_PROBLEMS = [
  ...(['unauthenticated', 'forbidden', 'not_found', 'invalid_answer', 'too_late'] as const),
]

const postAnswer = openRoute(
  {
    method: 'POST',
    path: '/questions/:id/answer',
    summary:
      'Answer a question: signed in, with the key of a notification button, or (test traffic alone) with a token.',
    input: AnswerInput,
    result: QuestionOutcome,
    problems: [...ANSWER_PROBLEMS, ...VOTE_REFUSALS],
  },
  async (deps: Deps, { input, params, request }) => {
    const { value, note, forSession, contract, surface: source, key, subscriberId } = input
    const { grant, arguments: changes } = input
    const questionId = params.id as QuestionId
    if (key !== undefined) {
      const quick = { questionId, key, subscriberId: subscriberId ?? '' }
      const device = await quickAnswerer(deps, quick)
      const answer = { questionId, value, note, grant, changes, ...fromDevice(device, source) }
      return outcomeReply(deps, await answerQuestion(deps, answer))
    }
    if (request.headers.has('authorization')) {
      const agent = await deps.authentication.agentFrom(request)
      deps.limits.token.take(agent.tokenId)
      return outcomeReply(
        deps,
        await answerInSandbox(deps, agent, { questionId, value, note, grant, contract, changes }),
      )
    }
    // Read together, because a person at another server waits for both round trips.
    const [person, question] = await together(
      signedIn(deps.authentication, request),
      request.headers.has('cookie')
        ? findQuestionById(deps.db.read, questionId)
        : Promise.resolve(undefined),
    )
    must(person, 'act')
    mustBeProvenFor(value, person)
    const { workspaceId, id: by } = person
    // Of two that are not there for this person, none may answer differently.
    const isSeen = !question || (await seesQuestion(deps.db.read, person, question))
    const id = isSeen ? questionId : ('q_0' as const)
    const common = { value, note, forSession, grant, contract, changes, source, by }
    const proof = { signedInAt: person.signedInAt }
    const answer = { ...common, questionId: id }
    return outcomeReply(
      deps,
      await answerQuestion(deps, {
        ...answer,
        workspaceId,
        found: isSeen ? question : undefined,
        proof,
      }),
    )
  },
)

const getWatching = personRoute(
  {
    method: 'GET',
    path: '/questions/:id/watching',
    summary: 'What rules that only watch would have asked for of a question.',
    result: Watching,
    problems: ['not_found'],
  },
  (deps: Deps, { person, params }) => readWatching(deps, person, params.id as QuestionId),
)

const postStop = personRoute(
  {
    method: 'POST',
    path: '/questions/:id/stop',
    unproven: true,
    summary: 'Tell the agent to stop instead of answering.',
    result: QuestionOutcome,
    problems: ['not_found', 'too_late'],
  },
  async (deps: Deps, { person, params }) => {
    const { workspaceId, id: by } = person
    const questionId = params.id as QuestionId
    return outcomeReply(deps, await stopAgent(deps, { workspaceId, questionId, by }))
  },
)

const postHandOver = personRoute(
  {
    method: 'POST',
    path: '/questions/:id/hand-over',
    summary: 'Leave it to the agent’s own client instead of answering; it ends as terminal.',
    result: QuestionOutcome,
    problems: ['forbidden', 'not_found', 'too_late'],
  },
  async (deps: Deps, { person, params }) => {
    const { workspaceId, id: by } = person
    const questionId = params.id as QuestionId
    return outcomeReply(deps, await handOver(deps, { workspaceId, questionId, by }))
  },
)

/** The device's person answered; a button in a browser does not count as one on a phone. */
function fromDevice(device: Subscriber, requestedSource: AnswerSource | undefined) {
  const { id, workspaceId, personId: by, kind } = device
  const source =
    kind === 'browser' && requestedSource === 'mobile_background' ? undefined : requestedSource
  return { workspaceId, by, on: answeredOn('device', device), source, device: id }
}

/** The outcome, or the one that won instead. */
function outcomeReply(
  { clock }: Deps,
  { won, question }: AnswerOutcome,
): QuestionOutcome | Response {
  const outcome = outcomeOf(question, clock.now())
  if (won) return outcome
  const failure = new Failure(
    'too_late',
    `Too late: this question is already ${outcome.status}; the agent was told that.`,
  )
  return problemResponse(failure, { outcome })
}

export function questionRoutes(deps: Deps): Route[] {
  const questions = [
    postQuestion,
    getQuestions,
    getQuestion,
    postCancel,
    getInbox,
    getWatching,
    postAnswer,
    postStop,
  ]
  return [...withDeps(deps, [...questions, postHandOver, ...voteRoutes])]
}
