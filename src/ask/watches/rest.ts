import { type Static, Type } from '@sinclair/typebox'
import { isoTime } from '../../platform/clock.ts'
import { Failure } from '../../platform/failure.ts'
import { omitUndefined } from '../../platform/json.ts'
import type { GuardedFetch } from '../../platform/outgoing/guarded-fetch.ts'
import { oneOf } from '../../platform/schema.ts'
import type { Caller } from '../accounts/model/agent.ts'
import { findToken } from '../accounts/model/token-store.ts'
import { checkUrl } from '../callbacks/check-url.ts'
import { agentRoute, type Route, withDeps } from '../rest/route.ts'
import { putOneWatch, RECORDS_MAX, removeWatch, type WatchDeps } from './change-watches.ts'
import { listWatches, type Watcher } from './model/store.ts'
import { WATCH_KINDS, WATCHED_NEWS_NAMES, type Watch } from './model/watch.ts'

export type RestDeps = WatchDeps & { outside: Pick<GuardedFetch, 'refusal'> }

const news = Type.Array(oneOf(WATCHED_NEWS_NAMES), {
  minItems: 1,
  maxItems: WATCHED_NEWS_NAMES.length,
  description: 'What is told; endings and breaks unless given.',
})

const ShownWatch = Type.Object({
  id: Type.String(),
  kind: oneOf(WATCH_KINDS),
  target: Type.String({ description: 'A slug, category or capability, or the name of a list.' }),
  records: Type.Optional(Type.Array(Type.String(), { description: 'The slugs of a list.' })),
  news,
  url: Type.Optional(Type.String({ description: 'Where news are posted. Absent: to a person.' })),
  createdAt: Type.String({ format: 'date-time' }),
  stoppedAt: Type.Optional(Type.String({ format: 'date-time' })),
  stoppedWhy: Type.Optional(Type.String()),
})

const NewWatch = Type.Object(
  {
    kind: oneOf(WATCH_KINDS),
    target: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'A slug, category or capability, or any name for a list.',
    }),
    records: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
        maxItems: RECORDS_MAX,
        description: 'For a list: its slugs. The list of the same name is replaced.',
      }),
    ),
    news: Type.Optional(news),
    url: Type.Optional(
      Type.String({
        format: 'uri',
        maxLength: 2_000,
        description: 'Receives signed POSTs. Without it, the person who made the token is told.',
      }),
    ),
  },
  { additionalProperties: false },
)

const getWatches = agentRoute(
  {
    method: 'GET',
    path: '/watches',
    summary: 'What is watched in the catalog: for the person of the token, and for this program.',
    result: Type.Object({ watches: Type.Array(ShownWatch) }),
  },
  async ({ db }: RestDeps, { call }) => {
    const lists = await Promise.all(
      (await watchersOf(db, call.caller)).map((of) => listWatches(db.read, of)),
    )
    return { watches: lists.flat().map(shownWatch) }
  },
)

const postWatch = agentRoute(
  {
    method: 'POST',
    path: '/watches',
    summary: 'Watch a tool, category, capability or list of the catalog.',
    input: NewWatch,
    result: Type.Composite([
      ShownWatch,
      Type.Object({
        secret: Type.Optional(
          Type.String({ description: 'What posts are signed with; only in this reply.' }),
        ),
      }),
    ]),
    problems: ['limit_reached', 'forbidden', 'not_found'],
  },
  async (deps: RestDeps, { call, input }) => {
    checkUrl(deps.outside, 'url', input.url)
    const { tokenId } = call.caller
    const [person, program] = await splitWatchers(deps.db, call.caller)
    const of = input.url === undefined ? person : program
    if (!of) throw nobody()
    const { watch, secret } = await putOneWatch(deps, of, { ...input, tokenId })
    return omitUndefined({ ...shownWatch(watch), secret })
  },
)

const deleteOne = agentRoute(
  {
    method: 'DELETE',
    path: '/watches/:id',
    summary: 'Remove a watch, with what is still to be posted.',
    problems: ['not_found'],
  },
  async ({ db }: RestDeps, { call, params }) => {
    await removeWatch({ db }, await watchersOf(db, call.caller), params.id ?? '')
    return undefined as never
  },
)

async function splitWatchers(db: RestDeps['db'], { tokenId, workspaceId }: Caller) {
  const token = await findToken(db.read, tokenId)
  const personId = token?.createdBy ?? undefined
  const person = personId === undefined ? undefined : { workspaceId, personId }
  return [person, { workspaceId, tokenId }] as const
}

async function watchersOf(db: RestDeps['db'], caller: Caller): Promise<Watcher[]> {
  const [person, program] = await splitWatchers(db, caller)
  return person ? [person, program] : [program]
}

function nobody(): Failure {
  return new Failure(
    'forbidden',
    'No person made this token, so nobody would be told. Give a url that receives the news, or use a token that a person made.',
  )
}

function shownWatch(watch: Watch): Static<typeof ShownWatch> {
  const { id, kind, target, records, news: sorts, url, createdAt, stoppedAt, stoppedWhy } = watch
  return omitUndefined({
    ...{ id, kind, target, news: sorts, url },
    records: kind === 'list' ? records : undefined,
    createdAt: isoTime(createdAt),
    stoppedAt: stoppedAt === undefined ? undefined : isoTime(stoppedAt),
    stoppedWhy,
  })
}

export function watchRoutes(deps: RestDeps): Route[] {
  return withDeps(deps, [getWatches, postWatch, deleteOne])
}
