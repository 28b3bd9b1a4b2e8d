import { isForHours } from '../../questions/model/lifecycle.ts'
import type { Question } from '../../questions/model/question.ts'
import type { QuestionId } from '../../wire/ids.ts'

/** Questions of one session, or of one agent that names no session, in their order. */
export type QuestionGroup = { key: string; questions: Question[] }

/**
 * The questions by session; a session stands where its first question stood. `within` makes the keys
 * of two lists on one page differ.
 */
function groupBySession(questions: readonly Question[], within = ''): QuestionGroup[] {
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

/**
 * The groups of a list: those that end soon, then those of agents that can wait for hours, then those
 * that wait for others.
 */
export function listGroups(questions: readonly Question[], forOthers: ReadonlySet<QuestionId>) {
  const own = questions.filter(({ id }) => !forOthers.has(id))
  const hours = own.filter(isForHours)
  const soon = own.filter((question) => !isForHours(question))
  const others = questions.filter(({ id }) => forOthers.has(id))
  return {
    soon: groupBySession(soon),
    hours: groupBySession(hours, 'hours-'),
    others: groupBySession(others, 'others-'),
  }
}

/** Orders questions by deadline, as lists read them. */
export function byDeadline(a: Question, b: Question): number {
  return a.expiresAt - b.expiresAt || (a.id < b.id ? -1 : 1)
}

/**
 * The question of those that wait for this person that follows `ended` in the list of both; after the
 * last one, the first.
 */
export function nextInList(open: readonly Question[], ended: Question): Question | undefined {
  const others = open.filter(({ id }) => id !== ended.id)
  const { soon, hours } = listGroups([...others, ended].sort(byDeadline), NONE)
  const all = [...soon, ...hours].flatMap(({ questions }) => questions)
  const at = all.findIndex(({ id }) => id === ended.id)
  return all[at + 1] ?? (others.length > 0 ? all[0] : undefined)
}

const NONE: ReadonlySet<QuestionId> = new Set()
