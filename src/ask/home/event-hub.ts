import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { TokenId, WorkspaceId } from '../accounts/model/ids.ts'
import type { Person } from '../accounts/model/person.ts'
import { findToken } from '../accounts/model/token-store.ts'
import { readQuestion } from '../inbox/read-questions.ts'
import {
  type ShownNotification,
  shownNotification,
} from '../notifications/model/notification-views.ts'
import { listNotifications } from '../notifications/model/store.ts'
import { readNotification } from '../notifications/read-notification.ts'
import { statusAt } from '../questions/model/lifecycle.ts'
import { type ShownQuestion, shownQuestion } from '../questions/model/question-views.ts'
import { countOpenQuestions, listQuestions } from '../questions/model/store.ts'
import type { AgentSessionId } from '../sessions/model/session.ts'
import { findSession } from '../sessions/model/store.ts'

/** An event for the people who are watching. */
type Happening =
  | { event: 'question.opened' | 'question.ended'; data: ShownQuestion }
  | { event: 'notification.sent'; data: ShownNotification }
  | { event: 'session.changed'; data: { id: string } }
  /** A message was accepted, refused, shown or opened, or a device changed. */
  | { event: 'delivery.changed'; data: Record<never, never> }

export type Watcher = {
  /** Sends events, already written as a stream; everybody gets the same bytes. */
  tell(events: Uint8Array): void
  /** A sign-in of this person ended, which may be that of the stream. */
  signInEnded(): void
  /** Ends the stream: events may have been missed, or one person has too many streams. */
  end(): void
}

/** Turns changes into events; each is read once, however many people watch. */
export type EventHub = {
  /**
   * Sends events of the workspace to `watcher` until the returned function is called. One person
   * has at most `WATCHED_MAX` streams: one more ends the oldest.
   */
  watch(person: WatchedBy, watcher: Watcher): () => void
  /** How many streams are open now. */
  watching(): number
}

/** The person whose streams count together, and the workspace they are about. */
export type WatchedBy = Pick<Person, 'id' | 'workspaceId'>

// Far above the tabs of somebody with several devices; a page whose stream ends reconnects by
// itself.
export const WATCHED_MAX = 50

type Deps = { db: Db; clock: Clock }

const ENCODER = new TextEncoder()
const INBOX_CHANGED = ENCODER.encode('event: inbox.changed\ndata: {}\n\n')

export function createEventHub(deps: Deps): EventHub {
  const { changes } = deps.db
  const byWorkspace = new Map<WorkspaceId, Set<Watcher>>()
  const byPerson = new Map<string, Set<Watcher>>()
  let stopListening: (() => void)[] = []
  let untold = new Map<WorkspaceId, string>()
  const lookAgain = createInboxLook(deps, byWorkspace, INBOX_CHANGED)

  /**
   * Events of one turn are sent together: there may be hundreds of streams, and each costs a write.
   */
  function happened(workspaceId: WorkspaceId, { event, data }: Happening) {
    if (untold.size === 0) setImmediate(tellAll)
    const before = untold.get(workspaceId) ?? ''
    untold.set(workspaceId, `${before}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
  }

  function tellAll() {
    const batch = untold
    untold = new Map()
    for (const [workspaceId, events] of batch) {
      const bytes = ENCODER.encode(events)
      for (const watcher of byWorkspace.get(workspaceId) ?? []) watcher.tell(bytes)
    }
  }

  /** Checks for each watched workspace whether the row belongs to it. */
  async function pass(read: (workspaceId: WorkspaceId) => Promise<Happening | undefined>) {
    for (const workspaceId of byWorkspace.keys()) {
      // If the read fails nothing is sent; the next change, or the page itself, reads again.
      const happening = await read(workspaceId).catch(() => undefined)
      if (happening) happened(workspaceId, happening)
    }
  }

  /** A snooze began or ended, which concerns only the person who snoozed. */
  function tellPerson(id: string) {
    for (const watcher of byPerson.get(id) ?? []) watcher.tell(INBOX_CHANGED)
  }

  function lookAtSignIns(id: string) {
    for (const watcher of byPerson.get(id) ?? []) watcher.signInEnded()
  }

  function listen() {
    stopListening = [
      changes.on('question', undefined, (id) => void pass((of) => questionMoved(deps, of, id))),
      changes.on('notification', undefined, (id) => void pass((of) => notified(deps, of, id))),
      changes.on('session', undefined, (id) => void pass((of) => sessionChanged(deps, of, id))),
      changes.on('subscriber', undefined, (id) => void pass(async (of) => delivered(of, id))),
      changes.on('snooze', undefined, tellPerson),
      changes.on('token', undefined, (id) => void tokenChanged(deps, byWorkspace, id)),
      changes.on('sign_in', undefined, lookAtSignIns),
      changes.onMissed(() => endAll(byWorkspace)),
      changes.onLook(() => void lookAgain()),
    ]
  }

  return {
    watch({ id, workspaceId }, watcher) {
      if (byWorkspace.size === 0) listen()
      put(byWorkspace, workspaceId, watcher)
      const [first, ...others] = put(byPerson, id, watcher)
      if (others.length >= WATCHED_MAX) first?.end()
      return () => {
        take(byWorkspace, workspaceId, watcher)
        take(byPerson, id, watcher)
        if (byWorkspace.size > 0) return
        for (const stop of stopListening) stop()
        stopListening = []
      }
    },
    watching: () => [...byWorkspace.values()].reduce((sum, { size }) => sum + size, 0),
  }
}

/** A token was used for the first time, changed or revoked: the page that waits for it is told. */
async function tokenChanged(
  { db }: Deps,
  watched: ReadonlyMap<WorkspaceId, Set<Watcher>>,
  id: string,
): Promise<void> {
  const token = await findToken(db.read, id as TokenId).catch(() => undefined)
  for (const watcher of (token && watched.get(token.workspaceId)) ?? []) watcher.tell(INBOX_CHANGED)
}

function endAll(all: ReadonlyMap<WorkspaceId, Set<Watcher>>): void {
  for (const watchers of all.values()) for (const one of watchers) one.end()
}

function put<K>(all: Map<K, Set<Watcher>>, key: K, watcher: Watcher): Set<Watcher> {
  const watchers = all.get(key) ?? new Set()
  all.set(key, watchers.add(watcher))
  return watchers
}

function take<K>(all: Map<K, Set<Watcher>>, key: K, watcher: Watcher): void {
  const watchers = all.get(key)
  watchers?.delete(watcher)
  if (watchers?.size === 0) all.delete(key)
}

/** Devices announce their workspace. */
function delivered(workspaceId: WorkspaceId, id: string): Happening | undefined {
  return id === workspaceId ? { event: 'delivery.changed', data: {} } : undefined
}

async function questionMoved(
  deps: Deps,
  workspaceId: WorkspaceId,
  id: string,
): Promise<Happening | undefined> {
  const question = await readQuestion(deps, workspaceId, id)
  if (!question) return undefined
  const now = deps.clock.now()
  const event = statusAt(question, now) === 'pending' ? 'question.opened' : 'question.ended'
  return { event, data: shownQuestion(question, now) }
}

async function notified(
  deps: Deps,
  workspaceId: WorkspaceId,
  id: string,
): Promise<Happening | undefined> {
  const notification = await readNotification(deps, workspaceId, id)
  return notification && { event: 'notification.sent', data: shownNotification(notification) }
}

async function sessionChanged(
  { db }: Deps,
  workspaceId: WorkspaceId,
  id: string,
): Promise<Happening | undefined> {
  const session = await findSession(db.read, workspaceId, id as AgentSessionId)
  return session && { event: 'session.changed', data: { id } }
}

type EventStream = { tell(bytes: Uint8Array): void }

/**
 * Finds changes that nobody was told of, because a process may die between a commit and its event.
 * Compares what the pages of each watched workspace show with the look before, and sends `changed`
 * to everybody who watches if it differs. It cannot know which changes were already sent, so those
 * are sent again. Never throws.
 */
function createInboxLook(
  deps: Deps,
  watched: ReadonlyMap<WorkspaceId, Iterable<EventStream>>,
  changed: Uint8Array,
): () => Promise<void> {
  let latestMarks = new Map<WorkspaceId, string>()
  let looking = false
  return async () => {
    if (looking) return
    looking = true
    try {
      const marks = new Map<WorkspaceId, string>()
      for (const [workspaceId, watchers] of watched) {
        const mark = await markOf(deps, workspaceId)
        marks.set(workspaceId, mark)
        if ((latestMarks.get(workspaceId) ?? mark) === mark) continue
        for (const watcher of watchers) watcher.tell(changed)
      }
      latestMarks = marks
    } catch {
      // The database is away; the next look compares again.
    } finally {
      looking = false
    }
  }
}

/** Differs after a question was opened or ended, or a notification was sent. */
async function markOf({ db, clock }: Deps, workspaceId: WorkspaceId): Promise<string> {
  const newest = { before: undefined, limit: 1 }
  const [question] = await listQuestions(db.read, workspaceId, newest)
  const [notification] = await listNotifications(db.read, workspaceId, newest)
  const open = await countOpenQuestions(db.read, workspaceId, clock.now())
  return JSON.stringify([question?.id, notification?.id, open])
}
