import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import { isAuditor } from '../../accounts/model/person.ts'
import type { SignedIn } from '../../pages/visit.ts'
import type { Question } from '../../questions/model/question.ts'
import type { SnoozedQuestion } from '../../questions/model/snooze-store.ts'
import { readSnoozed } from '../../snooze/snooze-question.ts'
import type { QuestionId } from '../../wire/ids.ts'
import { readInboxPage, readOpenFacts, readQuestion } from '../read-questions.ts'
import { readForOthers } from '../waits-for-others.ts'
import { type Facet, facetsOf, filterOf } from './facets.tsx'
import { byDeadline } from './list-order.ts'
import { whoEnded } from './outcome.tsx'

type Deps = { db: Db; clock: Clock }

// How many ended questions a page keeps in place.
const SHOWING_MAX = 30

// Keeps the page light and readable; the rest is on the next pages.
export const GLANCE = 30

/** The questions a page is about: the open ones, and a test for ended ones. */
export type About = { open: readonly Question[]; among(question: Question): boolean }

/** The contents of a list of questions. */
export type ShownQuestions = {
  open: readonly Question[]
  /** The open ones with those that ended while the page showed them. */
  shown: Question[]
  /** How many are open, shown or not. */
  total: number
  /** The cursor of the page after this one. */
  next?: string | undefined
  /** The id of the question that the address opens. */
  opened?: string | undefined
  /** The id of the question that a wide window shows whole beside the list. */
  whole?: string | undefined
  /** The names of those who ended questions. */
  who: ReadonlyMap<QuestionId, string>
  /** Those of the open ones that wait for others than this person. */
  forOthers: ReadonlySet<QuestionId>
  /** Questions that this person snoozed, on all pages. */
  snoozed: readonly SnoozedQuestion[]
  /** The facets by which they can be filtered. */
  facets: readonly Facet[]
}

/**
 * The open questions and, in their old places, those that ended while the page showed them
 * (`?showing=ID,ID`), so that nothing moves under the finger.
 */
export async function questionsToShow(
  deps: Deps,
  visit: SignedIn,
  about?: About,
): Promise<ShownQuestions> {
  const { person, url } = visit
  const snoozed = await readSnoozed(deps, person)
  const restricted = await readForOthers(deps, person)
  const { open, total, next, facets } = about
    ? glanceAt(about)
    : await glanceAtAll(deps, visit, restricted)
  const forOthers = isAuditor(person) ? new Set(open.map(({ id }) => id)) : restricted
  const among = about?.among ?? (() => true)
  const still = new Set<string>(open.map(({ id }) => id))
  // The page of a session keeps snoozed questions among the others, because the session does wait
  // for them.
  for (const { question } of about ? [] : snoozed) still.add(question.id)
  const requestedIds = (url.searchParams.get('showing') ?? '').split(',').slice(0, SHOWING_MAX)
  const ids = [...new Set(requestedIds)].filter((id) => id !== '' && !still.has(id))
  const readQuestions = await Promise.all(ids.map((id) => readQuestion(deps, person, id)))
  const ended = readQuestions.filter(
    (question) => question !== undefined && among(question),
  ) as Question[]
  const visible = [...open, ...ended].sort(byDeadline)
  const names = await Promise.all(
    ended.map(async (one) => [one.id, await whoEnded(deps, visit, one)] as const),
  )
  const who = new Map(names.filter((pair): pair is [QuestionId, string] => pair[1] !== undefined))
  const opened = url.searchParams.get('open') ?? undefined
  const whole = url.searchParams.get('whole') ?? undefined
  return { forOthers, open, shown: visible, total, next, opened, whole, who, snoozed, facets }
}

function glanceAt({ open }: About) {
  return { open: open.slice(0, GLANCE), total: open.length, next: undefined, facets: [] }
}

async function glanceAtAll(deps: Deps, { person, url }: SignedIn, last: ReadonlySet<QuestionId>) {
  const viewer = person.id
  const cursor = url.searchParams.get('after') ?? undefined
  const facets = facetsOf(await readOpenFacts(deps, person, { viewer }), url.searchParams)
  const page = { limit: GLANCE, cursor, last, only: { ...filterOf(facets), viewer } }
  const { items, total, next } = await readInboxPage(deps, person, page)
  return { open: items, total, next, facets }
}
