import type { Clock } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import { repeatEvery } from '../../platform/repeat.ts'
import { type Limited, USUAL } from '../accounts/charge-token.ts'
import type { PersonId } from '../accounts/model/ids.ts'
import { type AuditStamp, auditStamp } from '../audit/model/audit.ts'
import { recordChange } from '../audit/model/store.ts'
import { limitPushes } from '../delivery/limit-pushes.ts'
import type { AddressedRow, OutgoingMessage, Sender } from '../delivery/model/sender.ts'
import { pushedQuestion, questionMessage } from '../delivery/question-message.ts'
import type { GroupId } from '../groups/model/group.ts'
import type { Policies } from '../policy/model/store.ts'
import { isAnswerable, statusAt } from '../questions/model/lifecycle.ts'
import { isPermission, type Question } from '../questions/model/question.ts'
import { readScopeFacts } from '../questions/model/scope-facts.ts'
import { findQuestion } from '../questions/model/store.ts'
import { isQuiet } from '../subscribers/model/quiet-hours.ts'
import { readViewers } from '../telling/read-recipients.ts'
import { addViewers } from '../visibility/model/store.ts'
import { readVoters } from '../votes/read-voters.ts'
import { delay, dueAtOf, type EscalationState, step } from './model/step.ts'
import { endFailover, type Failover, listDueFailovers, takeTurn } from './model/store.ts'
import { readSurroundings, recipientOf } from './read-surroundings.ts'

export type FailOverDeps = {
  db: Db
  clock: Clock
  sender: Sender
  policies: Policies
  limited?: Limited
}

const LOOK_EVERY_MS = 1_000
const TAKE_MAX = 100
// The next person is told at most this long after quiet hours end.
const QUIET_LOOK_MS = 60_000

/**
 * Tells the next people of each open question that nobody decided for long enough
 * (docs/policy.md#when-nobody-answers). Resolves to how many questions somebody was told of.
 */
export async function failOver(deps: FailOverDeps): Promise<number> {
  const due = await listDueFailovers(deps.db.read, deps.clock.now(), TAKE_MAX)
  let count = 0
  for (const one of due) if (await tellNext(deps, one)) count++
  return count
}

/** Checks now and then every second, until disposed; `report` is called with errors. */
export function keepFailingOver(
  deps: FailOverDeps,
  report: (error: unknown) => void,
): AsyncDisposable {
  return repeatEvery(deps.clock, LOOK_EVERY_MS, () => failOver(deps), report)
}

/** Notifies the next people in line. Resolves to true if somebody was notified. */
async function tellNext(deps: FailOverDeps, failover: Failover): Promise<boolean> {
  const { db, clock } = deps
  const { workspaceId, questionId } = failover
  const now = clock.now()
  const question = await findQuestion(db.read, workspaceId, questionId)
  if (!question || statusAt(question, now) !== 'pending') {
    await db.write((tx) => endFailover(tx, questionId))
    return false
  }
  const next = (await isSilent(deps, question, now))
    ? { state: postponed(failover, now), rows: [], names: '', viewers: [] }
    : await nextTurn(deps, failover, question, now)
  const turn: Turn = { failover, question, ...next, stamp: auditStamp(now) }
  const rows = await db.write((tx) => store(tx, deps, turn))
  if (rows) deps.sender.send(rows)
  return rows !== undefined && next.rows.length > 0
}

/** Quiet hours of a workspace keep approvals from the next person, unless a rule says who decides. */
async function isSilent({ policies }: FailOverDeps, question: Question, now: number) {
  if (question.requirement || !isPermission(question)) return false
  const { policy } = await policies.of(question.workspaceId)
  return isQuiet(policy.quietHours, now)
}

function postponed(state: Failover, now: number): EscalationState {
  const again = now + Math.min(state.steps[0]?.afterMs ?? QUIET_LOOK_MS, QUIET_LOOK_MS)
  return delay(state, again - (state.stepAt ?? again))
}

async function nextTurn(
  deps: FailOverDeps,
  failover: Failover,
  question: Question,
  now: number,
): Promise<Pick<Turn, 'state' | 'rows' | 'names' | 'viewers'>> {
  const { steps, waiting, workspaceId } = failover
  const more = waiting.map(({ personId }) => personId)
  const message = await messageOf(deps, question)
  const about = { question, message, steps, more, now }
  const { world, rows, nameOf } = await readSurroundings(deps, about)
  const { state, ring } = step(failover, now, world)
  const taken = steps.slice(0, steps.length - state.steps.length).flatMap(({ tell }) => tell)
  const voters = await readVoters(deps.db.read, workspaceId)
  return {
    state,
    viewers: await readViewers(deps.db.read, taken, { workspaceId, voters, now }),
    rows: rows.filter((row) => ring.includes(recipientOf(row))),
    names: ring.map(nameOf).join(', '),
  }
}

async function messageOf({ db }: FailOverDeps, question: Question): Promise<OutgoingMessage> {
  const facts = await readScopeFacts(db.read, question, question.createdAt)
  const { message, ...outgoing } = questionMessage(question, facts)
  return { ...outgoing, message: { ...message, failover: true } }
}

type Turn = {
  failover: Failover
  question: Question
  state: EscalationState
  rows: AddressedRow[]
  /** Who is told. */
  names: string
  /** Who sees it from now on. */
  viewers: ReadonlyArray<PersonId | GroupId>
  stamp: AuditStamp
}

/** The rows to send; undefined when the question has just ended, or another process has the turn. */
async function store(tx: Tx, { sender, limited = USUAL }: FailOverDeps, turn: Turn) {
  const { failover, question, state, rows, names, viewers, stamp } = turn
  const { workspaceId, id, requirement, expiresAt } = question
  const now = await findQuestion(tx, workspaceId, id)
  if (!now || !isAnswerable(now, stamp.at)) return undefined
  const { steps, told: notified, waiting, stepAt } = state
  const next = { steps, told: notified, waiting, stepAt, dueAt: dueAtOf(state, expiresAt) }
  if (!(await takeTurn(tx, failover, next))) return undefined
  await addViewers(
    tx,
    viewers.map((who) => ({ subjectId: id, who })),
  )
  if (rows.length === 0) return []
  const pushes = await limitPushes(tx, limited, rows, { ...pushedQuestion(question), at: stamp.at })
  await sender.store(tx, [...pushes.rows, ...pushes.together])
  await recordChange(tx, stamp, {
    workspaceId,
    kind: requirement ? 'question.escalated' : 'question.failed_over',
    subjectId: id,
    subjectName: question.question,
    detail: `nobody ${requirement ? 'decided' : 'answered'}; told: ${names}`,
  })
  tx.emit('question', id)
  return pushes.rows
}
