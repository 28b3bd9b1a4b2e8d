import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import {
  limitOf,
  type PageRequest,
  type PageSize,
  pageOf,
  unknownCursor,
} from '../../platform/paging.ts'
import { isAuditor, type Person, type Viewer } from '../accounts/model/person.ts'
import { findVisible } from '../questions/find-visible.ts'
import { withHeldAnswer } from '../questions/held-answer.ts'
import type { OpenFilter } from '../questions/model/open-filter-store.ts'
import type { Question } from '../questions/model/question.ts'
import {
  countOpenQuestions,
  listOpenFacts,
  listOpenQuestions,
  type OpenFacts,
} from '../questions/model/store.ts'
import type { QuestionId } from '../wire/ids.ts'
import { readForOthers } from './waits-for-others.ts'

type Deps = { db: Db; clock: Clock }

/** More than a person can look through; the rest follows as these end, or with the cursor. */
export const INBOX_SIZE: PageSize = { usual: 200, most: 200 }

/**
 * The questions that can be answered now, the nearest deadline first, page by page; those in `last`
 * follow the others. `total` counts the questions of all pages. Throws `malformed` for a cursor that
 * these pages did not give out.
 */
export async function readInboxPage(
  { db, clock }: Deps,
  viewer: Viewer,
  page: PageRequest & { only?: OpenFilter; last?: ReadonlySet<QuestionId> } = {},
): Promise<{ items: Question[]; next?: string; total: number }> {
  const now = clock.now()
  const limit = limitOf(page, INBOX_SIZE)
  const { only = {}, last = NONE } = page
  const after = page.cursor === undefined ? undefined : deadlineOf(page.cursor)
  const list = (count: number, filter: OpenFilter, from: typeof after) =>
    listOpenQuestions(db.read, viewer, now, count, from, { ...only, ...filter })
  const first = after?.isLast ? [] : await list(limit + 1, { except: [...last] }, after)
  const room = last.size === 0 ? 0 : limit + 1 - first.length
  const rest =
    room > 0 ? await list(room, { ids: [...last] }, after?.isLast ? after : undefined) : []
  const total = await countOpenQuestions(db.read, viewer, now, only)
  const cursorOf = ({ expiresAt, id }: Question) => `${last.has(id) ? LAST : ''}${expiresAt}-${id}`
  return { ...pageOf([...first, ...rest], limit, cursorOf), total }
}

const NONE: ReadonlySet<QuestionId> = new Set()
const LAST = 'last-'

/** Reads the facts by which the questions that can be answered now differ. */
export function readOpenFacts(
  { db, clock }: Deps,
  viewer: Viewer,
  only: OpenFilter,
): Promise<OpenFacts[]> {
  return listOpenFacts(db.read, viewer, clock.now(), only)
}

function deadlineOf(cursor: string): { expiresAt: number; id: QuestionId; isLast: boolean } {
  const [, last, expiresAt, id] = /^(last-)?(\d{1,15})-(q_[\w.]{1,64})$/.exec(cursor) ?? []
  if (!id) throw unknownCursor()
  return { expiresAt: Number(expiresAt), id: id as QuestionId, isLast: last !== undefined }
}

/** How many questions wait for this person now, without those they snoozed; none for an auditor. */
export async function countInbox(
  deps: Deps,
  person: Viewer & Pick<Person, 'id' | 'role'>,
): Promise<number> {
  const { db, clock } = deps
  if (isAuditor(person)) return 0
  const open = await countOpenQuestions(db.read, person, clock.now(), { viewer: person.id })
  // Most often nothing is open, and nothing more has to be read.
  return open === 0 ? 0 : open - (await readForOthers(deps, person)).size
}

/** The question as people see it: while an answer is held, as answered. */
export async function readQuestion(
  { db }: Deps,
  viewer: Viewer,
  id: string,
): Promise<Question | undefined> {
  const question = await findVisible(db.read, viewer, id as QuestionId)
  return question && (await withHeldAnswer(db.read, question))
}
