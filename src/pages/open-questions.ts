import { readInbox, readQuestion } from '../flows/read-questions.ts'
import type { Question } from '../questions/question.ts'
import type { PageDeps } from './page-deps.ts'
import type { SignedIn } from './visit.ts'

// What a page keeps in place although it has ended; more would be a list, not a glance.
const SHOWING_MAX = 30

/** Which of them a page is about. */
export type Among = (question: Question) => boolean

/**
 * The open questions, and among them, in their old place, those that ended while the page showed
 * them (`?showing=ID,ID`): nothing jumps under the finger.
 */
export async function questionsToShow(
  deps: PageDeps,
  { person, url }: SignedIn,
  among: Among = () => true,
): Promise<{ open: Question[]; shown: Question[] }> {
  const open = (await readInbox(deps, person.workspaceId)).filter(among)
  const still = new Set<string>(open.map(({ id }) => id))
  const asked = (url.searchParams.get('showing') ?? '').split(',').slice(0, SHOWING_MAX)
  const ids = [...new Set(asked)].filter((id) => id !== '' && !still.has(id))
  const found = await Promise.all(ids.map((id) => readQuestion(deps, person.workspaceId, id)))
  const ended = found.filter((question) => question !== undefined && among(question)) as Question[]
  const shown = [...open, ...ended].sort(
    (a, b) => a.expiresAt - b.expiresAt || (a.id < b.id ? -1 : 1),
  )
  return { open, shown }
}
