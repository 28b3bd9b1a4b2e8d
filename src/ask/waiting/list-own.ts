import { type Static, Type } from '@sinclair/typebox'
import { type Clock, isoTime } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { idBody } from '../../platform/ids.ts'
import { omitUndefined } from '../../platform/json.ts'
import { idCursor, LIST_SIZE, limitOf, pageFields, pageOf } from '../../platform/paging.ts'
import { oneOf } from '../../platform/schema.ts'
import type { Agent } from '../accounts/model/agent.ts'
import { listOwnQuestions, OWN_STATES } from '../questions/model/own-store.ts'
import type { Question } from '../questions/model/question.ts'
import { outcomeFields } from '../questions/model/result.ts'
import type { QuestionId } from '../wire/ids.ts'
import { AnswerSource, QuestionStatus, QuestionType } from '../wire/question-fields.ts'

const text = Type.Optional(Type.String())
const time = Type.String({ format: 'date-time' })

export const OwnInput = Type.Object(
  {
    ...pageFields(LIST_SIZE),
    state: Type.Optional(
      oneOf(OWN_STATES, { default: 'open', description: 'open, or ended in any way.' }),
    ),
    sessionId: Type.Optional(
      Type.String({ maxLength: 128, description: 'Only those of this session.' }),
    ),
  },
  { additionalProperties: false },
)

/** A question as its agent finds it again. */
const OwnQuestion = Type.Object({
  correlationId: Type.String(),
  question: Type.String(),
  type: QuestionType,
  status: QuestionStatus,
  answered: Type.Boolean(),
  value: text,
  note: text,
  answerSource: Type.Optional(AnswerSource),
  agentName: text,
  sessionId: text,
  createdAt: time,
  expiresAt: time,
  endedAt: Type.Optional(time),
})

export const OwnQuestions = Type.Object({
  questions: Type.Array(OwnQuestion),
  next: Type.Optional(Type.String({ description: 'The cursor of the page after this one.' })),
})

/** The questions that a token asked, the newest first. Throws `malformed` for another cursor. */
export async function listOwn(
  { db, clock }: { db: Db; clock: Clock },
  agent: Pick<Agent, 'workspaceId' | 'tokenId'>,
  input: Static<typeof OwnInput>,
): Promise<Static<typeof OwnQuestions>> {
  const now = clock.now()
  const limit = limitOf(input, LIST_SIZE)
  const cursor = idCursor(input)
  const before = cursor === undefined ? undefined : (`q_${cursor}` as QuestionId)
  const { state = 'open', sessionId } = input
  const page = { state, sessionId, before, limit: limit + 1 }
  const rows = await listOwnQuestions(db.read, agent, page, now)
  const { items, next } = pageOf(rows, limit, ({ id }) => idBody(id))
  return omitUndefined({ questions: items.map((one) => ownQuestion(one, now)), next })
}

function ownQuestion(question: Question, now: number): Static<typeof OwnQuestion> {
  const { status, answered, value, note, answerSource } = outcomeFields(question, now)
  const { id, type, agentName, sessionId, createdAt, expiresAt, endedAt } = question
  return omitUndefined({
    ...{ correlationId: id, question: question.question, type, status, answered },
    ...{ value, note, answerSource, agentName, sessionId },
    createdAt: isoTime(createdAt),
    expiresAt: isoTime(expiresAt),
    endedAt: endedAt === undefined ? undefined : isoTime(endedAt),
  })
}
