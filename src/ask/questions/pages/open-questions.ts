import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import type { SignedIn } from '../../pages/visit.ts'
import type { Question } from '../model/question.ts'
import { readInboxPage, readQuestion } from '../read-questions.ts'

type Deps = { db: Db; clock: Clock }

// How many ended questions a page keeps in place.
const SHOWING_MAX = 30

// Keeps the page light and readable; the rest follows as these end.
const GLANCE = 30

/** The questions a page is about: the open ones, and a test for ended ones. */
export type About = { open: readonly Question[]; among(question: Question): boolean }

/**
 * The open questions and, in their old places, those that ended while the page showed them
 * (`?showing=ID,ID`), so that nothing moves under the finger. `total` counts the open ones.
 */
export async function questionsToShow(
  deps: Deps,
  { person, url }: SignedIn,
  { about, most = GLANCE }: { about?: About; most?: number } = {},
): Promise<{ open: readonly Question[]; shown: Question[]; total: number }> {
  const { open, total } = about
    ? { open: about.open.slice(0, most), total: about.open.length }
    : await glanceAtAll(deps, person, most)
  const among = about?.among ?? (() => true)
  const still = new Set<string>(open.map(({ id }) => id))
  const asked = (url.searchParams.get('showing') ?? '').split(',').slice(0, SHOWING_MAX)
  const ids = [...new Set(asked)].filter((id) => id !== '' && !still.has(id))
  const found = await Promise.all(ids.map((id) => readQuestion(deps, person.workspaceId, id)))
  const ended = found.filter((question) => question !== undefined && among(question)) as Question[]
  const shown = [...open, ...ended].sort(
    (a, b) => a.expiresAt - b.expiresAt || (a.id < b.id ? -1 : 1),
  )
  return { open, shown, total }
}

async function glanceAtAll(deps: Deps, { workspaceId }: SignedIn['person'], limit: number) {
  const { items, total } = await readInboxPage(deps, workspaceId, { limit })
  return { open: items, total }
}
