import { answerQuestion } from '../../src/ask/answering/answer-question.ts'
import { cancelQuestion } from '../../src/ask/answering/cancel-question.ts'
import { stopAgent } from '../../src/ask/answering/stop-agent.ts'
import type { Question } from '../../src/ask/questions/model/question.ts'
import { listQuestions } from '../../src/ask/questions/model/store.ts'
import { countUnanswered, sightSession } from '../../src/ask/sessions/model/store.ts'
import type { AskUserInput } from '../../src/ask/wire/ask-fields.ts'
import { newId } from '../../src/platform/ids.ts'
import { settle } from './fake-clock.ts'
import type { FlowWorld } from './flow-world.ts'
import { spoilPages } from './spoil-pages.ts'

export const WAIT_MS = 5_000
export const ASK = { question: 'Deploy now?', timeoutMs: WAIT_MS } satisfies AskUserInput
export const APPROVAL = { ...ASK, toolTarget: 'git push', sessionId: 's1', machineId: 'm1' }

/** What happens while a call waits. */
export type Then = (world: FlowWorld, question: Question) => unknown

/** The question that was asked last. */
export async function newest({ deps, call }: FlowWorld): Promise<Question> {
  const { workspaceId } = call().caller
  const [question] = await listQuestions(
    deps.db.read,
    { workspaceId },
    { before: undefined, limit: 1 },
  )
  if (!question) throw new Error('nothing was asked')
  return question
}

/** Lets `then` happen while the call waits. */
export async function during<T>(world: FlowWorld, calling: Promise<T>, then: Then): Promise<T> {
  await settle()
  await then(world, await newest(world))
  await settle()
  return await calling
}

export const timeIsOver: Then = ({ clock }) => clock.advance(WAIT_MS)
export const windowIsOver: Then = ({ clock }) => clock.advance(10 * 60_000)
export const answered =
  (value: string): Then =>
  ({ deps }, { workspaceId, id }) =>
    answerQuestion(deps, { workspaceId, questionId: id, value })
export const withdrawn: Then = ({ deps, call }, { id }) =>
  cancelQuestion(deps, { correlationId: id }, call())
export const stopped: Then = ({ deps }, { workspaceId, id }) =>
  stopAgent(deps, { workspaceId, questionId: id })
export const closing: Then = ({ deps }) => deps.waiters.close()
export const spoiled: Then = ({ db }) => spoilPages(db.place)

/** The session whose approvals went unanswered so often that the next one is not sent. */
export async function pauseSession({ deps, clock, call }: FlowWorld, sessionId = 's1') {
  const { workspaceId, tokenId } = call().caller
  const key = { workspaceId, machineId: 'm1', sessionId }
  await deps.db.write(async (tx) => {
    const nameless = { agentName: undefined, client: undefined, repoKey: undefined }
    const at = clock.now()
    await sightSession(tx, { ...key, ...nameless, tokenId, id: newId('ses', at), at })
    for (let i = 0; i < 3; i++) await countUnanswered(tx, key, 'unanswered')
  })
}
