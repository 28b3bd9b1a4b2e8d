import { Type } from '@sinclair/typebox'
import type { Clock } from '../../platform/clock.ts'
import { type Callers, personRoute, type Route, withDeps } from '../rest/route.ts'
import type { OpenPages } from '../subscribers/model/open-page-store.ts'
import { type EventHub, INBOX_CHANGED, type WatchedBy } from './event-hub.ts'
import { PageName } from './visible-pages.ts'

type Deps = Pick<Callers, 'authentication'> & {
  clock: Clock
  events: EventHub
  openPages: OpenPages
  /** Aborts when the server starts to close: streams end. */
  closing: AbortSignal
}

/** When what the page shows was read, in Unix milliseconds by the clock of the server. */
const Since = Type.String({ pattern: '^\\d{1,15}$' })

const getEvents = personRoute(
  {
    method: 'GET',
    path: '/events',
    summary:
      'Server-sent events: question.opened, question.ended, notification.sent, session.changed, delivery.changed, and inbox.changed: read the inbox anew. When the stream ends, connect again and read the inbox anew.',
    input: Type.Object({ page: Type.Optional(PageName), since: Type.Optional(Since) }),
    stream: true,
  },
  async (deps: Deps, { person, request, connection, input: { page, since } }) => {
    if (request.method === 'HEAD') return eventStreamHead()
    connection?.timeout(request, 0)
    const isStillIn = async () => {
      const now = await deps.authentication.personFrom(request)
      return (
        now?.id === person.id && now.workspaceId === person.workspaceId && now.sees === person.sees
      )
    }
    const onLeave = () => {
      // The page of a server that closes is still there: it goes on with another process.
      if (page === undefined || deps.closing.aborted) return
      deps.openPages.gone(person.id, page).catch(() => {})
    }
    const ends = [deps.closing, request.signal]
    const at = since === undefined ? undefined : Number(since)
    return eventStream(deps, person, ends, isStillIn, { onLeave, since: at })
  },
)

// Below the idle timeouts of common proxies, and of ours.
const COMMENT_EVERY_MS = 15_000
// Limits what a slow leak can hold: the browser reconnects by itself.
const LIFE_MS = 30 * 60_000
// A reader this many bytes behind is disconnected, and reads everything again when it reconnects.
const BEHIND_MAX = 512 * 1024
const COME_BACK_MS = 2_000

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
}
const ENCODER = new TextEncoder()
const BEGIN = ENCODER.encode(`retry: ${COME_BACK_MS}\n`)
const COMMENT = ENCODER.encode(':\n\n')

/**
 * A stream of server-sent events about a person's workspace. It ends when one of `ends` aborts, and
 * when `isStillIn` resolves to false, because the person signed out or was removed: at once, or
 * within 15 seconds if another process ended the sign-in without a sign of it. `onLeave` is called once it
 * has ended, also because the reader has gone. `since`: when what the reader shows was read.
 */
export function eventStream(
  { events, clock }: { events: EventHub; clock: Clock },
  who: WatchedBy,
  ends: readonly AbortSignal[],
  isStillIn: () => Promise<boolean>,
  { onLeave = () => {}, since }: { onLeave?: () => void; since?: number | undefined } = {},
): Response {
  let stop = () => {}
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        stop = run(controller)
      },
      cancel: () => stop(),
    },
    { highWaterMark: BEHIND_MAX, size: (bytes) => bytes?.byteLength ?? 0 },
  )

  function run(controller: ReadableStreamDefaultController<Uint8Array>): () => void {
    let over = false
    let forgetComment = () => {}
    const end = () => {
      if (over) return
      leave()
      controller.close()
    }
    const leave = () => {
      over = true
      forgetComment()
      forgetLife()
      unwatch()
      onLeave()
      for (const signal of ends) signal.removeEventListener('abort', end)
    }
    const write = (bytes: Uint8Array) => {
      if (over) return
      if ((controller.desiredSize ?? 0) <= 0) return end()
      controller.enqueue(bytes)
    }
    const comment = () => {
      write(COMMENT)
      if (!over) forgetComment = clock.after(COMMENT_EVERY_MS, commentAndLook)
    }
    const commentAndLook = () => {
      comment()
      signInEnded()
    }
    const signInEnded = () => {
      // A failed read is not a sign-out; the check is repeated soon.
      isStillIn().then(
        (still) => still || end(),
        () => {},
      )
    }

    const forgetLife = clock.after(LIFE_MS, end)
    const unwatch = events.watch(who, { tell: write, signInEnded, end })
    for (const signal of ends) signal.addEventListener('abort', end)
    write(BEGIN)
    comment()
    // Nobody was told of a change between the page and its stream.
    if (since !== undefined && events.changedSince(since)) write(INBOX_CHANGED)
    if (ends.some(({ aborted }) => aborted)) end()
    return leave
  }

  return new Response(body, { headers: HEADERS })
}

/** The answer to HEAD: an endless stream has no length. */
function eventStreamHead(): Response {
  return new Response(null, { headers: HEADERS })
}

export function eventRoutes(deps: Deps): Route[] {
  return withDeps(deps, [getEvents])
}
