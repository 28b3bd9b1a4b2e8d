import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { isUnavailable } from '../../platform/db/storage-failure.ts'
import { repeatEvery } from '../../platform/repeat.ts'
import type { PersonId, WorkspaceId } from '../accounts/model/ids.ts'
import type { Person } from '../accounts/model/person.ts'
import { hasUndo, setUndo } from '../accounts/model/undo-store.ts'
import { auditStamp } from '../audit/model/audit.ts'
import { recordChange } from '../audit/model/store.ts'
import { putOffDeliveries } from '../delivery/model/store.ts'
import { type EndQuestionDeps, endIn } from '../questions/end-question.ts'
import { undoHeldAnswer, withHeldAnswer } from '../questions/held-answer.ts'
import { lastWaitEnd } from '../questions/model/came-back.ts'
import {
  holdAnswer,
  listDueAnswers,
  reopenQuestion,
  takeHeldAnswer,
} from '../questions/model/held-answer-store.ts'
import { isPermission, type Question } from '../questions/model/question.ts'
import type { QuestionId } from '../wire/ids.ts'
import {
  type AnswerOutcome,
  alsoOf,
  checkAnswer,
  type GivenAnswer,
  loseAnswer,
  sendAnswer,
} from './answer-question.ts'
import type { CheckedAnswer } from './checked-answer.ts'

/** How long an answer is held at most. */
export const HELD_MS = 5_000
const LOOK_EVERY_MS = 500
// Less is no time to tap.
const HELD_LEAST_MS = 2_000
// The agent hears the answer before its wait ends.
const SPARE_MS = 2_000
// A hook asks anew, and clients end hooks early.
const HOOK_SPARE_MS = 15_000

type Of = { workspaceId: WorkspaceId; questionId: QuestionId }

/**
 * As `answerQuestion`, for a person at a page: while the agent can still wait, the answer is held
 * for five seconds, in which they can take it back. It is stored and counts as given now.
 */
export async function answerWithUndo(
  deps: EndQuestionDeps,
  answer: GivenAnswer & { by: PersonId },
): Promise<AnswerOutcome> {
  const { by, workspaceId } = answer
  const checked = await checkAnswer(deps, answer)
  const until = undoUntil(checked.question, checked.at)
  if (checked.question.requirement) return await sendAnswer(deps, checked)
  if (until === undefined || !(await hasUndo(deps.db.read, { id: by, workspaceId }))) {
    return await sendAnswer(deps, checked)
  }
  return await hold(deps, checked, by, until)
}

async function hold(
  deps: EndQuestionDeps,
  checked: CheckedAnswer,
  personId: PersonId,
  until: number,
): Promise<AnswerOutcome> {
  const { question, edited, at } = checked
  const { workspaceId, id: questionId } = question
  const { answeredBy: _, ...ending } = checked.ending
  const row = { questionId, workspaceId, personId, ending, edited, at }
  const held = await deps.db.write(async (tx) => {
    const current = await holdAnswer(tx, row, until)
    if (!current) return undefined
    // The next look sends the answer first.
    await putOffDeliveries(tx, questionId, until + 2 * LOOK_EVERY_MS)
    tx.emit('question', questionId)
    return current
  })
  if (!held) return await loseAnswer(deps, checked)
  return { won: true, question: await withHeldAnswer(deps.db.read, held) }
}

/**
 * Until when an answer that is given now can be held; undefined if it must be sent at once, because
 * no call can still wait for it, or not for long enough.
 */
export function undoUntil(question: Question, now: number): number | undefined {
  const isHook = question.detail.hookWaitsUntil !== undefined || isPermission(question)
  const spareMs = isHook ? HOOK_SPARE_MS : SPARE_MS
  const last = Math.min(lastWaitEnd(question) - spareMs, question.expiresAt - SPARE_MS)
  const until = Math.min(now + HELD_MS, last)
  return until - now < HELD_LEAST_MS ? undefined : until
}

/** "Undo": the question is open again. False if the answer was sent, or was somebody else's. */
export async function undoAnswer(
  { db, clock }: { db: Db; clock: Clock },
  { id: by, workspaceId }: Pick<Person, 'id' | 'workspaceId'>,
  questionId: QuestionId,
): Promise<boolean> {
  const at = clock.now()
  return await db.write((tx) => undoHeldAnswer(tx, { workspaceId, questionId }, { at, by }))
}

/** Sends a held answer now; nothing if it was sent or taken back. */
export async function releaseAnswer(deps: EndQuestionDeps, of: Of): Promise<void> {
  const { workspaceId, questionId: id } = of
  const ended = await deps.db.write(async (tx) => {
    const held = await takeHeldAnswer(tx, of)
    if (!held) return await reopenQuestion(tx, of)
    const { edited, at, personId } = held
    const ending = { ...held.ending, answeredBy: personId }
    const also = alsoOf(ending, personId)
    return await endIn(tx, deps, 'release', { workspaceId, id, at, ending, edited, ...also })
  })
  ended?.after()
}

const TAKE_MAX = 100

/**
 * Sends the held answers that are due. One that cannot be sent is taken back, so that its question
 * is open again; `report` is called with the error.
 */
export async function releaseDue(
  deps: EndQuestionDeps,
  report: (error: unknown) => void,
): Promise<void> {
  const { db, clock } = deps
  const now = clock.now()
  for (const of of await listDueAnswers(db.read, now, TAKE_MAX)) {
    try {
      await releaseAnswer(deps, of)
    } catch (error) {
      // The storage will take it later.
      if (isUnavailable(error)) throw error
      await db.write((tx) => undoHeldAnswer(tx, of, { at: now }))
      report(error)
    }
  }
}

/** Checks now and then twice a second, until disposed; `report` is called with errors. */
export function keepReleasing(
  deps: EndQuestionDeps,
  report: (error: unknown) => void,
): AsyncDisposable {
  return repeatEvery(deps.clock, LOOK_EVERY_MS, () => releaseDue(deps, report), report)
}

/** Switches Undo on or off for the later answers of a person. */
export async function switchUndo(
  { db, clock }: { db: Db; clock: Clock },
  person: Pick<Person, 'id' | 'workspaceId'>,
  on: boolean,
): Promise<void> {
  const { id: personId, workspaceId } = person
  const stamp = auditStamp(clock.now())
  await db.write(async (tx) => {
    if (!(await setUndo(tx, person, on))) return
    const detail = `undo: ${on ? 'on' : 'off'}`
    await recordChange(tx, stamp, { workspaceId, kind: 'switches.changed', personId, detail })
  })
}
