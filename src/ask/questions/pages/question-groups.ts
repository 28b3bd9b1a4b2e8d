import type { Question } from '../model/question.ts'

/** Questions of one session, or of one agent that names no session, in their order. */
export type QuestionGroup = { key: string; questions: Question[] }

/**
 * The questions by session; a session stands where its first question stood. `within` makes the keys
 * of two lists on one page differ.
 */
export function groupBySession(questions: readonly Question[], within = ''): QuestionGroup[] {
  const groups = new Map<string, QuestionGroup>()
  for (const question of questions) {
    const key = within + keyOf(question)
    const group = groups.get(key)
    if (group) group.questions.push(question)
    else groups.set(key, { key, questions: [question] })
  }
  return [...groups.values()]
}

/** Fits into the id of an element. */
function keyOf({ machineId, sessionId, agentName, test }: Question): string {
  const who = sessionId === undefined ? ['', agentName ?? ''] : [machineId ?? '', sessionId]
  return Bun.hash(JSON.stringify([...who, test])).toString(36)
}
