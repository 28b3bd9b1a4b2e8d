import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { repeatEvery } from '../../platform/repeat.ts'
import type { PersonId } from '../accounts/model/ids.ts'
import type { Person, Viewer } from '../accounts/model/person.ts'
import { requireQuestion } from '../questions/find-visible.ts'
import { isAnswerable } from '../questions/model/lifecycle.ts'
import type { Question } from '../questions/model/question.ts'
import { type SnoozeLength, snoozedUntil } from '../questions/model/snooze.ts'
import {
  endOverSnoozes,
  endSnooze,
  findSnooze,
  hasOverSnoozes,
  listSnoozed,
  putSnooze,
  type SnoozedQuestion,
} from '../questions/model/snooze-store.ts'
import type { QuestionId } from '../wire/ids.ts'

declare module '../../platform/db/change-bus.ts' {
  interface Topics {
    /** A snooze began or ended; `id` is the person. */
    snooze: true
  }
}

type Deps = { db: Db; clock: Clock }
type Who = Viewer & Pick<Person, 'id'>

/** Undefined `until`: it stayed, because it has ended or ends within a minute. */
type Snoozing = { question: Question; until: number | undefined }

// More than a person can look through.
const SNOOZED_MAX = 200

/**
 * Puts a question aside for one person. This is not an answer: the agent waits on, and everybody
 * else sees the question as before. Throws `not_found`.
 */
export async function snoozeQuestion(
  { db, clock }: Deps,
  { id: personId, workspaceId }: Who,
  questionId: QuestionId,
  length: SnoozeLength,
): Promise<Snoozing> {
  return await db.write(async (tx) => {
    const now = clock.now()
    const question = await requireQuestion(tx, workspaceId, questionId)
    const isOpen = isAnswerable(question, now)
    const until = isOpen ? snoozedUntil(question, length, now) : undefined
    if (until !== undefined) {
      await putSnooze(tx, { personId, questionId, until })
      tx.emit('snooze', personId)
    }
    return { question, until }
  })
}

/** "Show again": a question that is not snoozed stays as it is. Throws `not_found`. */
export async function showAgain(
  { db }: Deps,
  { id: personId, workspaceId }: Who,
  questionId: QuestionId,
): Promise<void> {
  await db.write(async (tx) => {
    await requireQuestion(tx, workspaceId, questionId)
    if (await endSnooze(tx, personId, questionId)) tx.emit('snooze', personId)
  })
}

/** The open questions that this person snoozed, the first to come back first. */
export function readSnoozed({ db, clock }: Deps, who: Who): Promise<SnoozedQuestion[]> {
  return listSnoozed(db.read, who, clock.now(), SNOOZED_MAX)
}

/** When a question comes back for this person; undefined if it is not snoozed. */
export function readSnooze(
  { db, clock }: Deps,
  personId: PersonId,
  questionId: QuestionId,
): Promise<number | undefined> {
  return findSnooze(db.read, personId, questionId, clock.now())
}

// Readers see the end of a snooze at once; this is for open pages.
const SWEEP_EVERY_MS = 1_000

/** Tells open pages of snoozes that are over: now and every second, until disposed. */
export function keepEndingSnoozes(
  { db, clock }: Deps,
  report: (error: unknown) => void,
): AsyncDisposable {
  const sweep = async () => {
    const now = clock.now()
    if (!(await hasOverSnoozes(db.read, now))) return
    await db.write(async (tx) => {
      for (const personId of await endOverSnoozes(tx, now)) tx.emit('snooze', personId)
    })
  }
  return repeatEvery(clock, SWEEP_EVERY_MS, sweep, report)
}
