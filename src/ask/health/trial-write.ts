import type { Tx } from '../../platform/db/database.ts'
import { putSetting } from '../../platform/db/settings-store.ts'
import { newId } from '../../platform/ids.ts'
import type { TokenId, WorkspaceId } from '../accounts/model/ids.ts'
import { deleteQuestions } from '../questions/model/purge-store.ts'
import type { Question } from '../questions/model/question.ts'
import { insertQuestion } from '../questions/model/store.ts'

// About the size of a question with its action.
const TRIAL = 'x'.repeat(8_192)
export const TRIAL_NAME = 'readiness'

/**
 * Writes what an ask writes, and takes it back in the same transaction; throws what an ask would
 * throw. What stays, and needs room on the disk, is a setting of the same size.
 */
export async function tryAsking(tx: Tx, at: number): Promise<void> {
  const question = trialQuestion(at)
  await insertQuestion(tx, question)
  await deleteQuestions(tx, [question.id])
  await putSetting(tx, TRIAL_NAME, TRIAL, at)
}

/** A question that has ended, in a workspace that does not exist. */
function trialQuestion(at: number): Question {
  const nobody = { agentName: undefined, machineId: undefined, sessionId: undefined }
  const ended = { answerSource: undefined, answeredBy: undefined, answeredAs: undefined }
  return {
    ...nobody,
    ...ended,
    id: newId('q', at),
    workspaceId: `ws_${TRIAL_NAME}` as WorkspaceId,
    tokenId: `key_${TRIAL_NAME}` as TokenId,
    origin: 'ask',
    type: 'confirm',
    question: TRIAL,
    choices: [],
    detail: {},
    repoKey: undefined,
    targeting: {},
    test: true,
    held: undefined,
    deliveryMode: 'push_first',
    policyWaitMs: 0,
    key: undefined,
    status: 'cancelled',
    createdAt: at,
    expiresAt: at,
    waitEndsAt: at,
    callbackUrl: undefined,
    notificationId: undefined,
    abandonedAt: undefined,
    value: undefined,
    note: undefined,
    answeredOn: undefined,
    endedAt: at,
    endReason: undefined,
    endedByToken: undefined,
  }
}
