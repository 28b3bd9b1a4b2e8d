import type { Clock } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import { newId } from '../../platform/ids.ts'
import { repeatEvery } from '../../platform/repeat.ts'
import { cutText } from '../../platform/text.ts'
import { wallTime } from '../../platform/wall-time.ts'
import type { TokenId } from '../accounts/model/ids.ts'
import type { Sender } from '../delivery/model/sender.ts'
import type { Notification } from '../notifications/model/notification.ts'
import { insertNotification, listSessionNotifications } from '../notifications/model/store.ts'
import { notificationMessage } from '../notifications/notification-message.ts'
import type { Policies } from '../policy/model/store.ts'
import { listSessionQuestions } from '../questions/model/store.ts'
import type { Hook } from '../scopes/model/hook.ts'
import { findHooks, listQuietHooks, missHooks } from '../scopes/model/hook-store.ts'
import { findInForce } from '../scopes/model/store.ts'

type Deps = { db: Db; clock: Clock; sender: Sender; policies: Policies }

const LOOK_EVERY_MS = 15_000
// A hook reports each tool call, unless it did in the last half minute: a call of our tools this
// long after its last report should have come with one.
const MISSED_MS = 60_000
// The report of a call is sent in parallel, and may arrive a little later.
const LATE_MS = 30_000
const HOOKS_MAX = 500

/**
 * Notices sessions with a scope that go on without the hook that reported them, because the client
 * was told to run no hooks or the hook was removed. The person is told once for each silence. An
 * idle session is not silent, because nothing comes from it. `since`: when this server started.
 */
export async function noticeSilentHooks(deps: Deps, since: number): Promise<number> {
  const { db, clock } = deps
  const now = clock.now()
  const quiet = await listQuietHooks(db.read, now - MISSED_MS, now, HOOKS_MAX)
  const sessions = new Map(
    quiet.map((hook) => [JSON.stringify([hook.workspaceId, hook.sessionId]), hook]),
  )
  let count = 0
  for (const hook of sessions.values()) if (await notice(deps, hook, since, now)) count++
  return count
}

async function notice(deps: Deps, { workspaceId, sessionId }: Hook, since: number, now: number) {
  const { db } = deps
  const hooks = await findHooks(db.read, workspaceId, sessionId)
  const [latest] = hooks.filter(({ endedAt }) => endedAt === undefined)
  if (!latest || latest.missedAt !== undefined) return false
  const key = { workspaceId, sessionId, test: false }
  if (!(await findInForce(db.read, key, now))) return false
  const word = await lastWord(deps, latest)
  if (!word || word.at - latest.lastSeenAt < MISSED_MS || now - word.at < LATE_MS) return false
  // A hook that could not report while the server was down reports with its next call.
  if (word.at - since < MISSED_MS) return false
  const { policy } = await deps.policies.of(workspaceId)
  const at = wallTime(latest.lastSeenAt, policy.quietHours?.zone ?? 'UTC')
  const notice = {
    hook: latest,
    tokenId: word.tokenId,
    agentName: word.agentName,
    title: 'The hook of this session stopped reporting',
    body: `It last reported at ${at}, and the session continues. Nothing has enforced its scope since.`,
    nextSteps:
      'Hooks may have been switched off in the settings of the client or of the project, or the program is gone. Look at what the agent changed, or stop it.',
    at: now,
  }
  return await tellOfHook(deps, notice, (tx) => missHooks(tx, latest, word.at, now))
}

type Word = { at: number; tokenId: TokenId; agentName: string | undefined }

/** The last thing that the agent of a session sent, and when. */
async function lastWord({ db }: Deps, { workspaceId, sessionId }: Hook): Promise<Word | undefined> {
  const [question] = await listSessionQuestions(db.read, { workspaceId }, sessionId, { limit: 1 })
  const [notification] = await listSessionNotifications(db.read, workspaceId, sessionId, 1)
  const words = [question, notification].filter((word) => word !== undefined)
  const last = words.sort((a, b) => b.createdAt - a.createdAt)[0]
  return last && { at: last.createdAt, tokenId: last.tokenId, agentName: last.agentName }
}

/** Checks now and then every 15 seconds, until disposed. */
export function keepNoticingHooks(deps: Deps, report: (error: unknown) => void): AsyncDisposable {
  const since = deps.clock.now()
  return repeatEvery(deps.clock, LOOK_EVERY_MS, () => noticeSilentHooks(deps, since), report)
}

/** A message of the server itself about the hook of a session. */
type HookNotice = {
  hook: Pick<Hook, 'workspaceId' | 'sessionId' | 'machineId'>
  /** The token of the agent. */
  tokenId: TokenId
  agentName: string | undefined
  title: string
  body: string
  nextSteps: string
  at: number
}

const SUMMARY_MAX = 200

/**
 * Notifies the person, on every device, if `isNew` says in the transaction that this was not done
 * before; the notification is of type `error`, so that quiet hours do not hold it. Resolves to
 * whether it was sent.
 */
export async function tellOfHook(
  { db, sender }: { db: Db; sender: Sender },
  notice: HookNotice,
  isNew: (tx: Tx) => Promise<boolean>,
): Promise<boolean> {
  const notification = notificationOf(notice)
  const rows = await sender.address(db.read, notificationMessage(notification))
  const isNotified = await db.write(async (tx) => {
    if (!(await isNew(tx))) return false
    // It is not the token's own traffic, so it does not count towards its limits.
    await insertNotification(tx, notification, 0)
    await sender.store(tx, rows)
    tx.emit('notification', notification.id)
    return true
  })
  if (isNotified) sender.send(rows)
  return isNotified
}

function notificationOf({ hook, tokenId, agentName, title, body, nextSteps, at }: HookNotice) {
  const { workspaceId, sessionId, machineId } = hook
  const context = { type: 'error' as const, summary: cutText(body, SUMMARY_MAX), nextSteps }
  const nothing = {
    url: undefined,
    iconUrl: undefined,
    imageUrl: undefined,
    questionId: undefined,
    held: undefined,
    groupId: undefined,
    groupSize: undefined,
  }
  return {
    ...nothing,
    id: newId('n', at),
    workspaceId,
    sessionId,
    tokenId,
    agentName,
    title,
    body,
    context,
    machineId: machineId || undefined,
    targeting: {},
    test: false,
    createdAt: at,
  } satisfies Notification
}
