import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { TokenId, WorkspaceId } from '../accounts/model/ids.ts'
import type { Person, Viewer } from '../accounts/model/person.ts'
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
import { type Seen, sees } from '../visibility/model/store.ts'
import type { SubjectId } from '../wire/ids.ts'

/** An event for the people who are watching. */
type Happening = (
  | { event: 'question.opened' | 'question.ended'; data: ShownQuestion }
  | { event: 'notification.sent'; data: ShownNotification }
  | { event: 'session.changed'; data: { id: string } }
  /** A message was accepted, refused, shown or opened, or a device changed. */
  | { event: 'delivery.changed'; data: Record<never, never> }
) & {
  /** By which somebody who does not see everything sees it; without it, they are not told. */
  about?: Seen<TokenId | undefined, SubjectId>
}

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
  /**
   * Whether something changed in any workspace at or after `at`, in Unix milliseconds, or may have
   * done so before this process began.
   */
  changedSince(at: number): boolean
  /** How many streams are open now. */
  watching(): number
}

/** The person whose streams count together, the workspace they are about, and what they see of it. */
export type WatchedBy = Pick<Person, 'id' | 'workspaceId' | 'sees'>

// Far above the tabs of somebody with several devices; a page whose stream ends reconnects by
// itself.
export const WATCHED_MAX = 50

type Deps = { db: Db; clock: Clock }
/** Changes that a page may show. */
const KINDS = ['question', 'notification', 'session', 'subscriber', 'snooze', 'token'] as const
/** Who watches a workspace. */
type Watchers = Map<Watcher, WatchedBy>

const ENCODER = new TextEncoder()
/** The event that has a page read everything it shows. */
export const INBOX_CHANGED = ENCODER.encode('event: inbox.changed\ndata: {}\n\n')

export function createEventHub(deps: Deps): EventHub {
  const { changes } = deps.db
  const byWorkspace = new Map<WorkspaceId, Watchers>()
  const byPerson = new Map<string, Set<Watcher>>()
  let stopListening: (() => void)[] = []
  let untold = new Map<WorkspaceId, string>()
  const lookAgain = createInboxLook(deps, byWorkspace, INBOX_CHANGED)

  /**
   * Events of one turn are sent together: there may be hundreds of streams, and each costs a write.
   */
  function happened(workspaceId: WorkspaceId, { event, data, about }: Happening) {
    if (untold.size === 0) setImmediate(tellAll)
    const before = untold.get(workspaceId) ?? ''
    const text = `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
    untold.set(workspaceId, before + text)
    if (about) tellSome(deps, byWorkspace.get(workspaceId), about, ENCODER.encode(text))
  }

  function tellAll() {
    const batch = untold
    untold = new Map()
    for (const [workspaceId, events] of batch) {
      tellUnrestricted(byWorkspace.get(workspaceId), ENCODER.encode(events))
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

  function lookAtSignIns(id: string) {
    for (const watcher of byPerson.get(id) ?? []) watcher.signInEnded()
  }

  function listen() {
    stopListening = [
      changes.on('question', undefined, (id) => void pass((of) => questionMoved(deps, of, id))),
      changes.on('notification', undefined, (id) => void pass((of) => notified(deps, of, id))),
      changes.on('session', undefined, (id) => void pass((of) => sessionChanged(deps, of, id))),
      changes.on('subscriber', undefined, (id) => void pass(async (of) => delivered(of, id))),
      // It concerns only the person who snoozed.
      changes.on('snooze', undefined, (id) => tellEach(byPerson.get(id), INBOX_CHANGED)),
      changes.on('token', undefined, (id) => void tokenChanged(deps, byWorkspace, id)),
      changes.on('sign_in', undefined, lookAtSignIns),
      changes.onMissed(() => endAll(byWorkspace)),
      changes.onLook(() => void lookAgain()),
    ]
  }

  return {
    watch(person, watcher) {
      const { id, workspaceId } = person
      if (byWorkspace.size === 0) listen()
      byWorkspace.getOrInsertComputed(workspaceId, () => new Map()).set(watcher, person)
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
    changedSince: followChanges(deps),
    watching: () => [...byWorkspace.values()].reduce((sum, { size }) => sum + size, 0),
  }
}

function followChanges({ db: { changes }, clock }: Deps): EventHub['changedSince'] {
  let changedAt = clock.now()
  for (const kind of KINDS) {
    changes.on(kind, undefined, () => {
      changedAt = clock.now()
    })
  }
  return (at) => changedAt >= at
}

/** A token was used for the first time, changed or revoked: the page that waits for it is told. */
async function tokenChanged(
  { db }: Deps,
  watched: ReadonlyMap<WorkspaceId, Watchers>,
  id: string,
): Promise<void> {
  const token = await findToken(db.read, id as TokenId).catch(() => undefined)
  for (const [watcher, { id, sees }] of (token && watched.get(token.workspaceId)) ?? []) {
    if (sees === undefined || token?.createdBy === id) watcher.tell(INBOX_CHANGED)
  }
}

function tellEach(watchers: Iterable<Watcher> = [], bytes: Uint8Array): void {
  for (const watcher of watchers) watcher.tell(bytes)
}

function tellUnrestricted(watchers: Watchers = new Map(), bytes: Uint8Array): void {
  for (const [watcher, { sees }] of watchers) if (sees === undefined) watcher.tell(bytes)
}

/** Sends an event to those of restricted sight who see what it is about. */
async function tellSome(
  { db }: Deps,
  watchers: Watchers = new Map(),
  about: NonNullable<Happening['about']>,
  bytes: Uint8Array,
): Promise<void> {
  const byPerson = new Map<string, Promise<boolean>>()
  for (const [watcher, person] of [...watchers]) {
    if (person.sees === undefined) continue
    const answer = byPerson.getOrInsertComputed(person.id, () => sees(db.read, person, about))
    // If the read fails nothing is sent, as in `pass`.
    if (await answer.catch(() => false)) watcher.tell(bytes)
  }
}

function endAll(all: ReadonlyMap<WorkspaceId, Watchers>): void {
  for (const watchers of all.values()) for (const one of watchers.keys()) one.end()
}

function put<K>(all: Map<K, Set<Watcher>>, key: K, watcher: Watcher): Set<Watcher> {
  const watchers = all.get(key) ?? new Set()
  all.set(key, watchers.add(watcher))
  return watchers
}

function take<K>(
  all: Map<K, Pick<Set<Watcher>, 'delete' | 'size'>>,
  key: K,
  watcher: Watcher,
): void {
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
  const question = await readQuestion(deps, { workspaceId }, id)
  if (!question) return undefined
  const now = deps.clock.now()
  const event = statusAt(question, now) === 'pending' ? 'question.opened' : 'question.ended'
  const about = { tokenId: question.tokenId, subjectId: question.id }
  return { event, data: shownQuestion(question, now), about }
}

async function notified(
  deps: Deps,
  workspaceId: WorkspaceId,
  id: string,
): Promise<Happening | undefined> {
  const notification = await readNotification(deps, { workspaceId }, id)
  if (!notification) return undefined
  const about = { tokenId: notification.tokenId, subjectId: notification.id }
  return { event: 'notification.sent', data: shownNotification(notification), about }
}

async function sessionChanged(
  { db }: Deps,
  workspaceId: WorkspaceId,
  id: string,
): Promise<Happening | undefined> {
  const session = await findSession(db.read, workspaceId, id as AgentSessionId)
  return session && { event: 'session.changed', data: { id }, about: { tokenId: session.tokenId } }
}

/**
 * Finds changes that nobody was told of, because a process may die between a commit and its event.
 * Compares what the pages of everybody who watches show with the look before, and sends `changed`
 * where it differs. It cannot know which changes were already sent, so those are sent again. Never
 * throws.
 */
function createInboxLook(
  deps: Deps,
  watched: ReadonlyMap<WorkspaceId, Watchers>,
  changed: Uint8Array,
): () => Promise<void> {
  let latestMarks = new Map<string, string>()
  let looking = false
  return async () => {
    if (looking) return
    looking = true
    try {
      const marks = new Map<string, string>()
      for (const watchers of watched.values()) {
        for (const [watcher, person] of [...watchers]) {
          const key = person.sees ? `${person.workspaceId} ${person.id}` : person.workspaceId
          const mark = marks.get(key) ?? (await markOf(deps, person))
          marks.set(key, mark)
          if ((latestMarks.get(key) ?? mark) !== mark) watcher.tell(changed)
        }
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
async function markOf({ db, clock }: Deps, viewer: Viewer): Promise<string> {
  const newest = { before: undefined, limit: 1 }
  const [question] = await listQuestions(db.read, viewer, newest)
  const [notification] = await listNotifications(db.read, viewer, newest)
  const open = await countOpenQuestions(db.read, viewer, clock.now())
  return JSON.stringify([question?.id, notification?.id, open])
}
