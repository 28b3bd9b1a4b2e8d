import type { Clock } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import { repeatEvery } from '../../platform/repeat.ts'
import { type Limited, USUAL } from '../accounts/charge-token.ts'
import type { PersonId } from '../accounts/model/ids.ts'
import { findPerson } from '../accounts/model/person-store.ts'
import { type AuditStamp, auditStamp } from '../audit/model/audit.ts'
import { recordChange } from '../audit/model/store.ts'
import { limitPushes } from '../delivery/limit-pushes.ts'
import type { AddressedRow, OutgoingMessage, Sender } from '../delivery/model/sender.ts'
import { pushedQuestion, questionMessage } from '../delivery/question-message.ts'
import { isQuiet } from '../policy/model/policy.ts'
import type { Policies } from '../policy/model/store.ts'
import type { Plan } from '../policy/plan.ts'
import { isAnswerable, statusAt } from '../questions/model/lifecycle.ts'
import { isPermission, type Question } from '../questions/model/question.ts'
import { readScopeFacts } from '../questions/model/scope-facts.ts'
import { findQuestion } from '../questions/model/store.ts'
import { anyTarget } from '../wire/targeting.ts'
import { endFailover, type Failover, listDueFailovers, takeTurn } from './model/store.ts'

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

/** The rows of the first message, and whose turn comes when nobody answers. */
export type FirstDelivery = { rows: AddressedRow[]; turns: Failover | undefined }

/**
 * Addresses the first message of a question that `waits` until others are told. Where nobody named
 * devices, the people whose turn comes later are left out of it, unless nobody else has a device:
 * then it goes to the first of them.
 */
export async function addressFirst(
  deps: Pick<FailOverDeps, 'db' | 'sender'>,
  question: Question,
  waits: NonNullable<Plan['failover']>,
  outgoing: OutgoingMessage,
): Promise<FirstDelivery> {
  const { db, sender } = deps
  const { people } = waits
  if (anyTarget(question.targeting)) {
    const rows = await sender.address(db.read, outgoing)
    const notifiedIds = new Set(rows.map(({ personId }) => personId))
    return {
      rows,
      turns: turnsOf(
        question,
        waits,
        people.filter((one) => !notifiedIds.has(one)),
      ),
    }
  }
  const others = await sender.address(db.read, { ...outgoing, people: { except: people } })
  if (others.length > 0) return { rows: others, turns: turnsOf(question, waits, people) }
  for (const [at, only] of people.entries()) {
    const rows = await sender.address(db.read, { ...outgoing, people: { only } })
    if (rows.length > 0) return { rows, turns: turnsOf(question, waits, people.slice(at + 1)) }
  }
  return { rows: [], turns: undefined }
}

function turnsOf(
  { id, workspaceId, createdAt }: Question,
  { everyMs }: { everyMs: number },
  people: PersonId[],
): Failover | undefined {
  if (people.length === 0) return undefined
  return { questionId: id, workspaceId, everyMs, people, told: [], dueAt: createdAt + everyMs }
}

/**
 * Tells the next person of each open question that went unanswered for long enough
 * (docs/policy.md#when-nobody-answers). Resolves to how many people were told.
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
  const { db, clock, policies } = deps
  const { workspaceId, questionId, everyMs, people, told: earlier } = failover
  const now = clock.now()
  const question = await findQuestion(db.read, workspaceId, questionId)
  if (!question || statusAt(question, now) !== 'pending') {
    await db.write((tx) => endFailover(tx, questionId))
    return false
  }
  const { policy } = await policies.of(workspaceId)
  const isSilent = isPermission(question) && isQuiet(policy.quietHours, now)
  const next = isSilent ? undefined : await firstReached(deps, question, people)
  const remaining = next?.left ?? (isSilent ? people : [])
  const dueAt = now + (isSilent ? Math.min(everyMs, QUIET_LOOK_MS) : everyMs)
  const turn: Turn = {
    failover,
    question,
    rows: next?.rows ?? [],
    after: {
      people: remaining,
      told: next ? [...earlier, { personId: next.personId, at: now }] : earlier,
      dueAt: remaining.length > 0 && dueAt < question.expiresAt ? dueAt : null,
    },
    name: next && (await findPerson(db.read, next.personId))?.name,
    stamp: auditStamp(now),
  }
  const rows = await db.write((tx) => store(tx, deps, turn))
  if (rows) deps.sender.send(rows)
  return rows !== undefined && next !== undefined
}

type Turn = {
  failover: Failover
  question: Question
  rows: AddressedRow[]
  after: Pick<Failover, 'people' | 'told' | 'dueAt'>
  name: string | undefined
  stamp: AuditStamp
}

/** The rows to send; undefined when the question has just ended, or another process has the turn. */
async function store(tx: Tx, { sender, limited = USUAL }: FailOverDeps, turn: Turn) {
  const { failover, question, rows, after, name, stamp } = turn
  const { workspaceId, id } = question
  const now = await findQuestion(tx, workspaceId, id)
  if (!now || !isAnswerable(now, stamp.at)) return undefined
  if (!(await takeTurn(tx, failover, after))) return undefined
  if (rows.length === 0) return []
  const pushes = await limitPushes(tx, limited, rows, { ...pushedQuestion(question), at: stamp.at })
  await sender.store(tx, [...pushes.rows, ...pushes.together])
  await recordChange(tx, stamp, {
    workspaceId,
    kind: 'question.failed_over',
    subjectId: id,
    subjectName: question.question,
    detail: `nobody answered; told: ${name ?? 'somebody'}`,
  })
  tx.emit('question', id)
  return pushes.rows
}

type Reached = { personId: PersonId; rows: AddressedRow[]; left: PersonId[] }

/** The first of `people` who has a device, with the rows for it; undefined if nobody has. */
async function firstReached(
  { db, sender }: Pick<FailOverDeps, 'db' | 'sender'>,
  question: Question,
  people: readonly PersonId[],
): Promise<Reached | undefined> {
  const facts = await readScopeFacts(db.read, question, question.createdAt)
  const { message, ...outgoing } = questionMessage(question, facts)
  for (const [at, personId] of people.entries()) {
    const addressed: OutgoingMessage = {
      ...outgoing,
      targeting: {},
      people: { only: personId },
      message: { ...message, failover: true },
    }
    const rows = await sender.address(db.read, addressed)
    if (rows.length > 0) return { personId, rows, left: people.slice(at + 1) }
  }
  return undefined
}
