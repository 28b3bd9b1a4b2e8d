import type { Clock } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import { unlessUnavailable } from '../../platform/db/storage-failure.ts'
import { Failure, wrongFields } from '../../platform/failure.ts'
import { newId } from '../../platform/ids.ts'
import { cleanLine, cleanText, isBlank, MUST_BE_SEEN } from '../../platform/text.ts'
import {
  type Charge,
  chargeToken,
  type Limited,
  openedCharge,
  USUAL,
} from '../accounts/charge-token.ts'
import type { CallContext, Caller } from '../accounts/model/agent.ts'
import type { PersonId } from '../accounts/model/ids.ts'
import { limitPushes, type Pushed } from '../delivery/limit-pushes.ts'
import type { OutgoingMessage, Sender } from '../delivery/model/sender.ts'
import { type DeliveryRow, deliveriesBytes, suppressedBySwitches } from '../delivery/model/store.ts'
import type { Policy } from '../policy/model/policy.ts'
import type { Policies } from '../policy/model/store.ts'
import type { QuestionCounts } from '../questions/model/question.ts'
import { type Question, questionBytes, withDetail } from '../questions/model/question.ts'
import { agentNameOf, isTest, readAsk } from '../questions/model/read-ask.ts'
import { insertQuestion } from '../questions/model/store.ts'
import { seeSession } from '../sessions/see-session.ts'
import { isQuiet } from '../subscribers/model/quiet-hours.ts'
import { matchesNothing, type Unmatched } from '../subscribers/model/unmatched.ts'
import type {
  NotificationContext,
  SendNotificationInput,
  SendNotificationResult,
} from '../wire/notification-fields.ts'
import { targetingOf } from '../wire/targeting.ts'
import { COLLAPSE_LOOK, groupOf } from './model/collapse.ts'
import type { Notification } from './model/notification.ts'
import {
  insertNotification,
  keepResult,
  listNotifications,
  notificationBytes,
} from './model/store.ts'
import { notificationMessage } from './notification-message.ts'
import { notificationResult } from './notification-result.ts'
import { notificationSighting } from './notification-sighting.ts'
import { findRepeated, keyOfNotification, repeatedResult } from './repeated.ts'

export type SendNotificationDeps = {
  db: Db
  sender: Sender
  clock: Clock
  policies: Policies
  counts?: QuestionCounts
  limited?: Limited
}

// Long enough for a push service to answer, short enough not to hold up the agent.
const FIRST_OUTCOMES_MS = 2_000

/** What the server's own messages have beside what an agent can say. */
type OwnMessage = {
  /** A tap opens the `url` although there is a context. */
  opensUrl?: boolean
  /** For the devices of this person alone, wherever messages usually go. */
  only?: PersonId
  /** The path that stops such messages. */
  stop?: string
  /** What is written in the transaction that stores the message; throws if it is not to be sent. */
  together?(tx: Tx): Promise<void>
}

/**
 * Records a one-way message and delivers it; reaching nobody is a success that says so (QS-WHAT-4).
 * A call again under the same id sends nothing and gets the first result.
 * Throws `invalid_input`, and `unavailable` if nothing was recorded.
 */
export async function sendNotification(
  deps: SendNotificationDeps,
  input: SendNotificationInput,
  call: CallContext,
  own: OwnMessage = {},
): Promise<SendNotificationResult> {
  refuseBlank(input)
  const { limited = USUAL } = deps
  const { policy } = await deps.policies.of(call.caller.workspaceId)
  const question = readEmbedded(input, call.caller, policy)
  const notification = readNotification(input, call.caller, question, policy)
  if (own.opensUrl) notification.url = input.url
  if (own.only) notification.targeting = {}
  const silent = notification.test || notification.held !== undefined
  const outgoing = ownMessage(notificationMessage(notification, question), own)
  const addressed = silent ? [] : await deps.sender.address(deps.db.read, outgoing)
  const sighting = notificationSighting(notification)
  const { tokenId, agentName, createdAt: at } = notification
  const sort = question ? 'question' : 'notification'
  const pushed: Pushed = { tokenId, agentName, at, sort, subjectId: outgoing.subjectId }
  const key = keyOfNotification(notification, call)
  const outcome = await deps.db.write(async (tx) => {
    await own.together?.(tx)
    const existing = key && (await findRepeated(tx, notification, key))
    if (existing) return { known: existing }
    const isOff = suppressedBySwitches(addressed) === 'all'
    const audible = isOff ? { ...notification, held: 'switched_off' as const } : notification
    const inStory = await inItsStory(tx, audible)
    const all = tellStory(addressed, inStory, question)
    const { rows, together, collapsed } = await limitPushes(tx, limited, all, pushed)
    // For everybody it was for, one push announces it together with others.
    const isCollapsed = collapsed > 0 && rows.every(({ state }) => state === 'held')
    const toStore = isCollapsed ? { ...inStory, held: 'collapsed' as const } : inStory
    await deps.sender.store(tx, [...rows, ...together])
    const switchedOff = suppressedBySwitches(all)
    const linkedQuestion =
      question && switchedOff ? withDetail(question, { switchedOff }) : question
    const removed = await keep(tx, limited, toStore, linkedQuestion, all, key)
    if (sighting) await seeSession(tx, sighting)
    tx.emit('notification', notification.id)
    if (question) tx.emit('question', question.id)
    return { told: toStore, rows, collapsed, removed }
  })
  if ('known' in outcome) return repeatedResult(deps, outcome.known, notification, input)
  if (question) deps.counts?.opened(question)
  const counts = await deps.sender.send(outcome.rows).firstOutcomes(FIRST_OUTCOMES_MS)
  const isMissed = !silent && addressed.length === 0
  const unmatched = isMissed ? await missed(deps, outcome.told, input) : undefined
  const result = notificationResult(outcome.told, counts, unmatched, {
    ...outcome,
    urlUnused: input.context !== undefined && input.url !== undefined,
  })
  // Without it a retry is told what the deliveries say.
  if (key) await unlessUnavailable(deps.db.write((tx) => keepResult(tx, notification, result)))
  return result
}

function ownMessage(outgoing: OutgoingMessage, { only, stop }: OwnMessage): OutgoingMessage {
  return {
    ...outgoing,
    ...(only === undefined ? {} : { people: { only } }),
    ...(stop === undefined ? {} : { message: { ...outgoing.message, stop } }),
  }
}

/** The target, if no device matches it. */
async function missed(
  { db }: SendNotificationDeps,
  { workspaceId, targeting }: Notification,
  input: SendNotificationInput,
): Promise<Unmatched | undefined> {
  const nothing = await unlessUnavailable(matchesNothing(db.read, workspaceId, targeting))
  if (nothing !== true) return undefined
  return { targeting, byCall: Object.keys(targetingOf(input)).length > 0 }
}

/**
 * Stores the notification and its question, and counts both for the token; resolves to how many
 * older ones were deleted to make room.
 */
async function keep(
  tx: Tx,
  limited: Limited,
  notification: Notification,
  linkedQuestion: Question | undefined,
  rows: readonly DeliveryRow[],
  key: string | undefined,
): Promise<number> {
  const bytes = notificationBytes(notification) + deliveriesBytes(rows)
  await insertNotification(tx, notification, bytes, key)
  const { id, tokenId, workspaceId, createdAt: at } = notification
  const charge: Charge = { tokenId, workspaceId, at, bytes, openQuestions: 0, told: id }
  if (!linkedQuestion) return chargeToken(tx, limited, charge)
  const asking = questionBytes(linkedQuestion)
  await insertQuestion(tx, linkedQuestion, asking)
  const both = openedCharge(linkedQuestion, bytes + asking)
  return chargeToken(tx, limited, { ...both, told: id })
}

function refuseBlank({ title, body }: SendNotificationInput): void {
  const blank = Object.entries({ title, body }).filter(([, text]) => isBlank(text))
  if (blank.length === 0) return
  throw wrongFields(blank.map(([field]) => ({ field, must: MUST_BE_SEEN })))
}

/** Quiet hours hold everything but errors and questions. */
function isQuietFor(input: SendNotificationInput, policy: Policy, now: number): boolean {
  const { context } = input
  if (context?.type === 'error' || context?.askQuestion) return false
  return isQuiet(policy.quietHours, now)
}

function readNotification(
  input: SendNotificationInput,
  caller: Caller,
  question: Question | undefined,
  policy: Policy,
): Notification {
  const targeting = targetingOf(input)
  const test = isTest(input.env, caller)
  return {
    id: newId('n', caller.arrivedAt),
    workspaceId: caller.workspaceId,
    tokenId: caller.tokenId,
    title: cleanLine(input.title),
    body: cleanText(input.body),
    agentName: agentNameOf(input.agentName, caller),
    machineId: cleaned(input.machineId),
    sessionId: cleaned(input.sessionId),
    context: input.context && readContext(input.context),
    // The detail page replaces it.
    url: input.context ? undefined : input.url,
    iconUrl: input.iconUrl,
    imageUrl: input.imageUrl,
    targeting: Object.keys(targeting).length > 0 ? targeting : policy.targeting,
    test,
    questionId: question?.id,
    held: !test && isQuietFor(input, policy, caller.arrivedAt) ? 'quiet_hours' : undefined,
    groupId: undefined,
    groupSize: undefined,
    createdAt: caller.arrivedAt,
  }
}

function cleaned(id: string | undefined): string | undefined {
  return id && (cleanLine(id) || undefined)
}

function readEmbedded(
  input: SendNotificationInput,
  caller: Caller,
  policy: Policy,
): Question | undefined {
  const embedded = input.context?.askQuestion
  if (!input.context || !embedded) return undefined
  const { agentName, env, machineId, sessionId } = input
  const ask = {
    ...embedded,
    ...targetingOf(input),
    ...(agentName === undefined ? {} : { agentName }),
    ...(env === undefined ? {} : { env }),
    ...(machineId === undefined ? {} : { machineId }),
    ...(sessionId === undefined ? {} : { sessionId }),
  }
  const question = readInside('context.askQuestion', () => readAsk(ask, caller))
  const { askQuestion: _, ...context } = readContext(input.context)
  const { type: _type, ...facts } = context
  const isPartOnly = Object.values(facts).some((fact) => fact !== undefined)
  const notice = { title: cleanLine(input.title), body: cleanText(input.body), context }
  const detail = { ...question.detail, notice, ...(isPartOnly ? { isPartOnly } : {}) }
  return { ...question, detail, origin: 'notification', ...deliveryOf(policy, question.createdAt) }
}

/** The question is sent with a push and answered there, whatever the policy's mode. */
function deliveryOf(
  { deliveryMode, waitMs }: Policy,
  createdAt: number,
): Pick<Question, 'deliveryMode' | 'policyWaitMs' | 'waitEndsAt'> {
  return {
    deliveryMode: deliveryMode === 'push_only' ? 'push_only' : 'push_first',
    policyWaitMs: waitMs,
    waitEndsAt: createdAt + waitMs,
  }
}

/** Names wrong fields by where the caller wrote them. */
function readInside<T>(place: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'invalid_input') throw error
    throw wrongFields(error.fields.map(({ field, must }) => ({ field: `${place}.${field}`, must })))
  }
}

/** The detail page's texts without control and bidi characters; its structure is unchanged. */
function readContext(context: NotificationContext): NotificationContext {
  return mapTexts(context) as NotificationContext
}

// Paths and list items are one line each; other texts may have paragraphs.
const ONE_LINE = new Set(['errorFile', 'details', 'filesChanged', 'options'])

function mapTexts(value: unknown, field = ''): unknown {
  if (typeof value === 'string') return ONE_LINE.has(field) ? cleanLine(value) : cleanText(value)
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, field))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, mapTexts(inner, key)]),
  )
}

/** Finds the earlier messages of the session that it replaces on devices. */
async function inItsStory(tx: Tx, notification: Notification): Promise<Notification> {
  const { workspaceId, machineId = '', sessionId } = notification
  if (sessionId === undefined) return notification
  await tx.lock(`story ${workspaceId} ${machineId} ${sessionId}`)
  const page = { before: undefined, limit: COLLAPSE_LOOK, session: { machineId, sessionId } }
  const before = await listNotifications(tx, { workspaceId }, page)
  return { ...notification, ...groupOf(notification, before) }
}

/**
 * The rows with a message that says how many it replaces. In a chat earlier messages stay, and
 * nothing is counted.
 */
function tellStory(
  rows: DeliveryRow[],
  notification: Notification,
  question: Question | undefined,
): DeliveryRow[] {
  if ((notification.groupSize ?? 1) === 1) return rows
  const { message } = notificationMessage(notification, question)
  return rows.map((row) => (row.kind === 'chat' ? row : { ...row, message }))
}
