import type { Clock } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import { repeatEvery } from '../../platform/repeat.ts'
import { type Limited, USUAL } from '../accounts/charge-token.ts'
import { limitPushes } from '../delivery/limit-pushes.ts'
import type { OutgoingMessage, Sender } from '../delivery/model/sender.ts'
import { type DeliveryRow, listDeliveries } from '../delivery/model/store.ts'
import { pushedQuestion, questionMessage } from '../delivery/question-message.ts'
import type { Policy } from '../policy/model/policy.ts'
import type { Policies } from '../policy/model/store.ts'
import { isAnswerable, statusAt } from '../questions/model/lifecycle.ts'
import type { Question } from '../questions/model/question.ts'
import { readScopeFacts } from '../questions/model/scope-facts.ts'
import { listSnoozers } from '../questions/model/snooze-store.ts'
import { findQuestion } from '../questions/model/store.ts'
import { isQuiet } from '../subscribers/model/quiet-hours.ts'
import {
  deleteReminders,
  insertReminder,
  listDueReminders,
  type Reminder,
  takeReminder,
} from './model/store.ts'

export type RemindDeps = {
  db: Db
  clock: Clock
  sender: Sender
  policies: Policies
  limited?: Limited
}

/** A question gets at most this many reminders. */
const SENT_MAX = 3
const LOOK_EVERY_MS = 1_000
const TAKE_MAX = 100
// During quiet hours a reminder is checked again after this long.
const QUIET_LOOK_MS = 5 * 60_000

/**
 * Plans the reminders of a question that is followed from `now` on; none if the policy turns them
 * off.
 */
export async function planReminders(
  tx: Tx,
  { id, workspaceId, expiresAt }: Question,
  { remindMs: everyMs }: Pick<Policy, 'remindMs'>,
  now: number,
): Promise<void> {
  const dueAt = now + everyMs
  if (everyMs === 0 || dueAt >= expiresAt) return
  await insertReminder(tx, { questionId: id, workspaceId, everyMs, sent: 0, dueAt })
}

/** Checks now and then every second, until disposed; `report` is called with errors. */
export function keepReminding(deps: RemindDeps, report: (error: unknown) => void): AsyncDisposable {
  return repeatEvery(deps.clock, LOOK_EVERY_MS, () => remind(deps), report)
}

/**
 * Sends the reminders that are due for followed questions, to the devices that got the first
 * message, except those of people who snoozed the question. Resolves to the number of questions
 * somebody was reminded of.
 */
export async function remind(deps: RemindDeps): Promise<number> {
  const due = await listDueReminders(deps.db.read, deps.clock.now(), TAKE_MAX)
  let reminded = 0
  for (const one of due) if (await remindOf(deps, one)) reminded++
  return reminded
}

async function remindOf(deps: RemindDeps, reminder: Reminder): Promise<boolean> {
  const { db, clock, policies, sender } = deps
  const { workspaceId, questionId } = reminder
  const question = await findQuestion(db.read, workspaceId, questionId)
  if (!question || statusAt(question, clock.now()) !== 'pending') {
    await db.write((tx) => deleteReminders(tx, [questionId]))
    return false
  }
  const { policy } = await policies.of(workspaceId)
  const now = clock.now()
  const isSilent = isQuiet(policy.quietHours, now)
  const facts = await readScopeFacts(db.read, question, now)
  const rows = await db.write(async (tx) => {
    const current = await findQuestion(tx, workspaceId, questionId)
    if (!current || !isAnswerable(current, now)) return undefined
    if (!(await takeReminder(tx, reminder, after(reminder, question, isSilent, now)))) return
    return isSilent ? [] : await store(tx, deps, again(questionMessage(current, facts)), current)
  })
  if (!rows || rows.length === 0) return false
  sender.send(rows)
  return true
}

/**
 * People in quiet hours are reminded afterwards. Nobody is reminded in a question's last moments.
 */
function after(
  { sent: sentCount, everyMs }: Reminder,
  { expiresAt }: Question,
  isSilent: boolean,
  now: number,
) {
  const count = isSilent ? sentCount : sentCount + 1
  const dueAt = now + (isSilent ? Math.min(everyMs, QUIET_LOOK_MS) : everyMs)
  return { sent: count, dueAt: count < SENT_MAX && dueAt < expiresAt ? dueAt : null }
}

/** Repeats a message: it notifies, replaces the message before it, and is not counted. */
function again(outgoing: OutgoingMessage): OutgoingMessage {
  const { message } = outgoing
  const title = `Still open: ${message.title}`
  return { ...outgoing, message: { ...message, title, again: true, reminder: true } }
}

async function store(
  tx: Tx,
  { sender, limited = USUAL, clock }: RemindDeps,
  outgoing: OutgoingMessage,
  question: Question,
): Promise<DeliveryRow[]> {
  const earlierRows = await listDeliveries(tx, question.workspaceId, question.id)
  const ids = earlierRows.filter(wasAsked).map(({ subscriberId }) => subscriberId)
  if (ids.length === 0) return []
  const subscriberIds = [...new Set(ids)]
  const rows = await sender.address(tx, { ...outgoing, targeting: { subscriberIds } })
  const away = new Set(await listSnoozers(tx, question.id, clock.now()))
  const awake = rows.filter(({ personId }) => personId === undefined || !away.has(personId))
  const pushed = { ...pushedQuestion(question), at: clock.now() }
  const pushes = await limitPushes(tx, limited, awake, pushed)
  await sender.store(tx, [...pushes.rows, ...pushes.together])
  return pushes.rows
}

function wasAsked({ state, message }: DeliveryRow): boolean {
  return message.kind === 'question' && state === 'accepted'
}
