import type { Notification } from '../../src/ask/notifications/model/notification.ts'
import type { Question } from '../../src/ask/questions/model/question.ts'
import type { NotificationId, QuestionId } from '../../src/ask/wire/ids.ts'
import { WINDOW_MS } from '../../src/ask/wire/limits.ts'

/** When made-up questions and notifications are opened. */
export const OPENED_AT = Date.UTC(2026, 0, 31, 12)

/** A pending confirm with nothing optional, changed as the test says. */
export function aQuestion(id: string, changes: Partial<Question> = {}): Question {
  return {
    id: `q_${id}` as QuestionId,
    workspaceId: 'ws_1',
    tokenId: 'key_1',
    origin: 'ask',
    type: 'confirm',
    question: 'Deploy?',
    choices: [],
    detail: {},
    agentName: undefined,
    machineId: undefined,
    sessionId: undefined,
    repoKey: undefined,
    targeting: {},
    test: false,
    held: undefined,
    deliveryMode: 'push_first',
    policyWaitMs: 45_000,
    key: undefined,
    status: 'pending',
    createdAt: OPENED_AT,
    expiresAt: OPENED_AT + WINDOW_MS,
    waitEndsAt: OPENED_AT + 45_000,
    callbackUrl: undefined,
    notificationId: undefined,
    abandonedAt: undefined,
    value: undefined,
    note: undefined,
    answerSource: undefined,
    answeredBy: undefined,
    answeredAs: undefined,
    answeredOn: undefined,
    endedAt: undefined,
    endReason: undefined,
    endedByToken: undefined,
    ...changes,
  }
}

/** In SQL: the id that a model's call was named by, of a question. */
export const MODEL_CALL_ID =
  "case when key like '%]' then json_extract(substr(key, instr(key, ':') + 1), '$[6]') else key end"

/** The id that the call of a question was named by. */
export function callIdOf(question: Pick<Question, 'key'> | undefined): unknown {
  return JSON.parse(/\[.*\]/s.exec(question?.key ?? '[]')?.[0] ?? '[]').at(-1)
}

/** A notification with nothing optional, changed as the test says. */
export function aNotification(id: string, changes: Partial<Notification> = {}): Notification {
  return {
    id: `n_${id}` as NotificationId,
    workspaceId: 'ws_1',
    tokenId: 'key_1',
    title: 'Done',
    body: 'All tests pass.',
    agentName: undefined,
    machineId: undefined,
    sessionId: undefined,
    context: undefined,
    url: undefined,
    iconUrl: undefined,
    imageUrl: undefined,
    targeting: {},
    test: false,
    questionId: undefined,
    held: undefined,
    groupId: undefined,
    groupSize: undefined,
    createdAt: OPENED_AT,
    ...changes,
  }
}
