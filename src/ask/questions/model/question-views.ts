import { type Static, Type } from '@sinclair/typebox'
import { isoTime } from '../../../platform/clock.ts'
import { omitUndefined } from '../../../platform/json.ts'
import { oneOf } from '../../../platform/schema.ts'
import { needOf, type Requirement } from '../../votes/model/requirement.ts'
import { Contract } from '../../wire/contract.ts'
import { RISKS } from '../../wire/program-fields.ts'
import { AnswerSource, QuestionStatus, QuestionType } from '../../wire/question-fields.ts'
import { ToolSettings } from '../../wire/tool-settings.ts'
import { offersSession } from './answer.ts'
import type { Question } from './question.ts'
import { outcomeFields } from './result.ts'

const text = Type.Optional(Type.String())
const time = (description: string) => Type.String({ format: 'date-time', description })

const open = Type.Object({}, { additionalProperties: true })
const Choice = Type.Object({ label: Type.String(), description: text })

/** The outcome of a question, or that it is still open. */
export const QuestionOutcome = Type.Object({
  correlationId: Type.String(),
  status: QuestionStatus,
  answered: Type.Boolean(),
  value: text,
  note: text,
  answerSource: Type.Optional(AnswerSource),
  forSession: Type.Optional(
    Type.Boolean({ description: 'The yes is for the rest of the session.' }),
  ),
  endedAt: Type.Optional(time('When it ended.')),
  need: Type.Optional(
    Type.Integer({ description: 'While it is open: how many people have to agree by a rule.' }),
  ),
  have: Type.Optional(
    Type.Integer({ description: 'With need: how many have; a yes that fills no place adds none.' }),
  ),
})
export type QuestionOutcome = Static<typeof QuestionOutcome>

/** A question as a person sees it. */
export const ShownQuestion = Type.Object({
  ...QuestionOutcome.properties,
  question: Type.String(),
  type: QuestionType,
  options: Type.Optional(
    Type.Array(Type.String(), { description: 'Of a select: what can be chosen.' }),
  ),
  choices: Type.Optional(
    Type.Array(Choice, { description: 'The options with what choosing each means.' }),
  ),
  header: text,
  multiSelect: Type.Optional(Type.Boolean()),
  allowOther: Type.Optional(Type.Boolean()),
  placeholder: text,
  schema: Type.Optional(
    Type.Object({}, { additionalProperties: true, description: 'The form that is the answer.' }),
  ),
  edit: Type.Optional(
    Type.Object(
      { schema: open, values: open },
      { description: 'The arguments that may be changed with a yes.' },
    ),
  ),
  context: text,
  effect: text,
  risk: Type.Optional(oneOf(RISKS)),
  intent: text,
  action: text,
  actionBody: text,
  blocker: text,
  toolName: text,
  toolTarget: text,
  toolSettings: Type.Optional(ToolSettings),
  contract: Type.Optional(Contract),
  sessionAllows: Type.Optional(
    Type.Array(Type.String(), {
      description: 'What answering with forSession would allow for the rest of the session.',
    }),
  ),
  agentName: text,
  machineId: text,
  sessionId: text,
  held: text,
  env: Type.Optional(Type.Literal('test')),
  createdAt: time('When it was asked.'),
  expiresAt: time('Until when it can be answered.'),
  waitEndsAt: time('When the agent stops waiting live.'),
  expiresInSeconds: Type.Optional(Type.Number()),
})
export type ShownQuestion = Static<typeof ShownQuestion>

export function outcomeOf(question: Question, now: number): QuestionOutcome {
  const { status, answered, value, note, answerSource } = outcomeFields(question, now)
  return omitUndefined({
    correlationId: question.id,
    status,
    answered,
    value,
    note,
    answerSource,
    forSession: (answered && question.detail.forSession) || undefined,
    endedAt: question.endedAt === undefined ? undefined : isoTime(question.endedAt),
    ...(question.requirement && status === 'pending'
      ? agreedOf(question.requirement, question)
      : {}),
  })
}

function agreedOf(requirement: Requirement, { detail }: Question) {
  return { need: needOf(requirement), have: detail.agreed ?? 0 }
}

export function shownQuestion(question: Question, now: number): ShownQuestion {
  const { detail, choices } = question
  const { env, expiresInSeconds } = outcomeFields(question, now)
  return omitUndefined({
    ...outcomeOf(question, now),
    question: question.question,
    type: question.type,
    ...(choices.length > 0 ? { options: choices.map(({ label }) => label), choices } : {}),
    header: detail.header,
    multiSelect: detail.multiSelect,
    allowOther: detail.allowOther,
    placeholder: detail.placeholder,
    schema: detail.form,
    edit: detail.edit,
    context: detail.context,
    effect: detail.effect,
    risk: detail.risk,
    intent: detail.intent,
    action: detail.action,
    actionBody: detail.actionBody,
    blocker: detail.blocker,
    toolName: detail.toolName,
    toolTarget: detail.toolTarget,
    toolSettings: detail.toolSettings,
    contract: detail.contract,
    sessionAllows: offersSession(question) ? detail.sessionAllows : undefined,
    agentName: question.agentName,
    machineId: question.machineId,
    sessionId: question.sessionId,
    held: question.held,
    env,
    createdAt: isoTime(question.createdAt),
    expiresAt: isoTime(question.expiresAt),
    waitEndsAt: isoTime(question.waitEndsAt),
    expiresInSeconds,
  })
}
