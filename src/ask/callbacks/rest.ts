import { type Static, Type } from '@sinclair/typebox'
import { type Clock, isoTime } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { omitUndefined } from '../../platform/json.ts'
import { LIST_SIZE, pageFields } from '../../platform/paging.ts'
import { oneOf } from '../../platform/schema.ts'
import { personRoute, type Route, withDeps } from '../rest/route.ts'
import {
  readCallbackSecrets,
  rotateCallbackSecret,
  type SigningSecrets,
} from './callback-secret.ts'
import { CALLBACK_STATES, type CallbackId } from './model/callback.ts'
import { redeliverCallback } from './queue-callback.ts'
import { type LoggedCallback, readCallback, readCallbacks } from './read-callbacks.ts'

type Deps = { db: Db; clock: Clock }

const time = (description: string) => Type.String({ format: 'date-time', description })

const ShownAttempt = Type.Object({
  at: time('When it was made.'),
  status: Type.Integer({ description: 'The HTTP status; 0 without a response.' }),
  error: Type.Optional(Type.String({ description: 'Why it did not succeed.' })),
})

const ShownCallback = Type.Object({
  id: Type.String({ description: 'Also the `webhook-id` of every attempt.' }),
  correlationId: Type.String({ description: 'The question it is about.' }),
  url: Type.String(),
  state: oneOf(CALLBACK_STATES, {
    description:
      'waiting: due at nextAt; delivered: 2xx; gone: 410; lapsed: not delivered within a day.',
  }),
  attempts: Type.Array(ShownAttempt, { description: 'Every attempt, the first made first.' }),
  createdAt: time('When the question was answered.'),
  nextAt: Type.Optional(time('While waiting: when the next attempt is due.')),
  endedAt: Type.Optional(time('When the last attempt was made.')),
  env: Type.Optional(Type.Literal('test')),
})

const getCallbacks = personRoute(
  {
    method: 'GET',
    path: '/callbacks',
    summary: 'Answers posted to callback URLs, newest first, with every attempt.',
    needs: 'callbacks',
    input: Type.Object(pageFields(LIST_SIZE), { additionalProperties: false }),
    result: Type.Object({ items: Type.Array(ShownCallback), next: Type.Optional(Type.String()) }),
    problems: ['malformed'],
  },
  async (deps: Deps, { person, input }) => {
    const { items, next } = await readCallbacks(deps, person.workspaceId, input)
    return omitUndefined({ items: items.map(shownCallback), next })
  },
)

const postRedeliver = personRoute(
  {
    method: 'POST',
    path: '/callbacks/:id/redeliver',
    summary: 'Post an answer again now, under the same id.',
    needs: 'callbacks',
    result: ShownCallback,
    problems: ['not_found', 'conflict'],
  },
  async (deps: Deps, { person, params }) => {
    const { workspaceId } = person
    const id = params.id as CallbackId
    await redeliverCallback(deps, { workspaceId, id })
    return shownCallback(await readCallback(deps, workspaceId, id))
  },
)

function shownCallback(callback: LoggedCallback): Static<typeof ShownCallback> {
  const { id, questionId, url, state, createdAt, nextAt, endedAt, test, log } = callback
  return omitUndefined({
    id,
    correlationId: questionId,
    url,
    state,
    attempts: log.map(({ at, status, error }) =>
      omitUndefined({ at: isoTime(at), status, error: error ?? undefined }),
    ),
    createdAt: isoTime(createdAt),
    nextAt: state === 'waiting' ? isoTime(nextAt) : undefined,
    endedAt: endedAt === null ? undefined : isoTime(endedAt),
    env: test ? ('test' as const) : undefined,
  })
}

const ShownSecret = Type.Object({
  secret: Type.String({ description: 'What receivers verify with: whsec_ and base64.' }),
  createdAt: Type.String({ format: 'date-time' }),
  ending: Type.Array(
    Type.Object({
      endsAt: Type.String({ format: 'date-time', description: 'When it stops signing.' }),
    }),
    { description: 'Rotated secrets that still sign beside this one.' },
  ),
})

const getCallbackSecret = personRoute(
  {
    method: 'GET',
    path: '/callback-secret',
    summary: 'The secret that callbacks are signed with.',
    needs: 'callbacks',
    result: ShownSecret,
  },
  async (deps: Deps, { person }) => {
    return shownSecret(await readCallbackSecrets(deps, person.workspaceId))
  },
)

const postRotateSecret = personRoute(
  {
    method: 'POST',
    path: '/callback-secret/rotate',
    summary: 'Make a new secret; the one before signs beside it for 24 hours.',
    needs: 'callbacks',
    result: ShownSecret,
    problems: ['conflict'],
  },
  async (deps: Deps, { person }) => {
    return shownSecret(await rotateCallbackSecret(deps, person.workspaceId, person.id))
  },
)

function shownSecret({ current, ending }: SigningSecrets): Static<typeof ShownSecret> {
  return {
    secret: current.secret,
    createdAt: isoTime(current.createdAt),
    ending: ending.map(({ endsAt }) => ({ endsAt: isoTime(endsAt) })),
  }
}

export function callbackRoutes(deps: Deps): Route[] {
  return withDeps(deps, [getCallbackSecret, postRotateSecret, getCallbacks, postRedeliver])
}
