import type { Read } from '../../platform/db/database.ts'
import { Failure } from '../../platform/failure.ts'
import type { Agent } from '../accounts/model/agent.ts'
import type { WorkspaceId } from '../accounts/model/ids.ts'
import type { Viewer } from '../accounts/model/person.ts'
import { readTokenViewer } from '../visibility/model/store.ts'
import type { QuestionId } from '../wire/ids.ts'
import { grantOf } from './model/key.ts'
import type { Question } from './model/question.ts'
import { findQuestion } from './model/store.ts'
import { seesQuestion } from './model/visible-store.ts'

/** A question of the workspace; undefined if the viewer does not see it. */
export async function findVisible(
  read: Read,
  viewer: Viewer,
  id: QuestionId,
): Promise<Question | undefined> {
  const question = await findQuestion(read, viewer.workspaceId, id)
  return question && (await seesQuestion(read, viewer, question)) ? question : undefined
}

/** A question that an agent asked itself, or that the owner of its token sees. */
export async function findForAgent(
  read: Read,
  agent: Pick<Agent, 'workspaceId' | 'tokenId'>,
  id: QuestionId,
): Promise<Question | undefined> {
  const question = await findQuestion(read, agent.workspaceId, id)
  if (!question || grantOf(question) === grantOf(agent)) return question
  const viewer = await readTokenViewer(read, agent)
  return (await seesQuestion(read, viewer, question)) ? question : undefined
}

/** A question of the workspace. Throws `not_found`. */
export async function requireQuestion(
  read: Read,
  workspaceId: WorkspaceId,
  id: QuestionId,
): Promise<Question> {
  const question = await findQuestion(read, workspaceId, id)
  if (!question) throw noSuchQuestion()
  return question
}

export function noSuchQuestion(): Failure {
  return new Failure('not_found', 'There is no such question here.')
}
