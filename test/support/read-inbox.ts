import type { WorkspaceId } from '../../src/ask/accounts/model/ids.ts'
import { readInboxPage } from '../../src/ask/inbox/read-questions.ts'
import type { Question } from '../../src/ask/questions/model/question.ts'

/** The first page of the questions that can be answered now, the nearest deadline first. */
export async function readInbox(
  deps: Parameters<typeof readInboxPage>[0],
  workspaceId: WorkspaceId,
): Promise<Question[]> {
  return (await readInboxPage(deps, { workspaceId })).items
}
