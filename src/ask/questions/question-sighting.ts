import type { Sighting } from '../sessions/model/store.ts'
import { sightingOf } from '../sessions/see-session.ts'
import type { Question } from './model/question.ts'

/** Returns the sighting that a question reports of its session; undefined if it names none. */
export function questionSighting(question: Question): Sighting | undefined {
  const { agentName, repoKey, createdAt, detail } = question
  const { action, intent } = detail
  const lastAction = action ?? question.question
  return sightingOf(question, {
    agentName,
    repoKey,
    intent,
    lastAction,
    errored: false,
    at: createdAt,
  })
}
