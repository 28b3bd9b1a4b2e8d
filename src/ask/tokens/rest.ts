import { type Static, Type } from '@sinclair/typebox'
import { type Clock, isoTime } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { omitUndefined } from '../../platform/json.ts'
import type { AgentToken } from '../accounts/model/agent.ts'
import { handOver } from '../people/token-owner.ts'
import { agentRoute, personRoute, type Route, withDeps } from '../rest/route.ts'
import { countSubscribers } from '../subscribers/model/page-store.ts'
import { createToken, readTokens, revokeToken } from './agent-tokens.ts'

type Deps = { db: Db; clock: Clock }

const text = Type.Optional(Type.String())
const time = Type.String({ format: 'date-time' })

const ShownKey = Type.Object({
  id: Type.String(),
  name: Type.String(),
  tail: Type.String({ description: 'The last characters of the token.' }),
  test: Type.Boolean({ description: 'All its traffic is test traffic.' }),
  createdAt: time,
  createdBy: Type.Optional(
    Type.String({
      description: 'The id of the person it belongs to.',
    }),
  ),
  ownerGroup: Type.Optional(
    Type.String({
      description: 'The id of the group it belongs to; without either, nobody here owns it.',
    }),
  ),
  revokedAt: Type.Optional(time),
  lastUsedAt: Type.Optional(time),
  lastUsedFrom: text,
  lastUsedClient: text,
})

const CreatedKey = Type.Object({
  ...ShownKey.properties,
  token: Type.String({ description: 'The token itself; it is shown only once.' }),
})

const getKeys = personRoute(
  {
    method: 'GET',
    path: '/keys',
    summary:
      'The tokens of agents that you may revoke, newest first, revoked ones too: all for owners, else your own.',
    result: Type.Object({ keys: Type.Array(ShownKey) }),
  },
  async (deps: Deps, { person }) => {
    const tokens = await readTokens(deps, person)
    return { keys: tokens.map(shownKey) }
  },
)

const postKey = personRoute(
  {
    method: 'POST',
    path: '/keys',
    summary: 'Make a token for agents; it is yours.',
    input: Type.Object(
      {
        name: Type.String({ minLength: 1, maxLength: 100, description: 'Which agent it is for.' }),
        test: Type.Optional(Type.Boolean({ description: 'Make all its traffic test traffic.' })),
      },
      { additionalProperties: false },
    ),
    result: CreatedKey,
    status: 201,
  },
  async (deps: Deps, { person, input }) => {
    const { workspaceId, id: by } = person
    const { token, record } = await createToken(deps, { ...input, workspaceId, by })
    return { ...shownKey(record), token }
  },
)

const patchKey = personRoute(
  {
    method: 'PATCH',
    path: '/keys/:id',
    summary: 'Hand a token to another person or a group; owners of the workspace may.',
    input: Type.Object(
      {
        owner: Type.String({
          minLength: 1,
          maxLength: 64,
          description: 'The id of the person or group it belongs to from now on.',
        }),
      },
      { additionalProperties: false },
    ),
    result: ShownKey,
    problems: ['not_found', 'conflict'],
  },
  async (deps: Deps, { person, input, params }) =>
    shownKey(await handOver(deps, { id: params.id ?? '', person, to: input.owner })),
)

const deleteKey = personRoute(
  {
    method: 'DELETE',
    path: '/keys/:id',
    summary: 'Revoke a token for good.',
    problems: ['not_found'],
  },
  async (deps: Deps, { person, params }) => {
    await revokeToken(deps, { id: params.id ?? '', person })
  },
)

function shownKey(token: AgentToken): Static<typeof ShownKey> {
  const { id, name, tail, test, createdAt, revokedAt, lastUsedAt } = token
  return omitUndefined({
    id,
    name,
    tail,
    test,
    createdAt: isoTime(createdAt),
    createdBy: token.createdBy ?? undefined,
    ownerGroup: token.ownerGroup ?? undefined,
    revokedAt: revokedAt === null ? undefined : isoTime(revokedAt),
    lastUsedAt: lastUsedAt === null ? undefined : isoTime(lastUsedAt),
    lastUsedFrom: token.lastUsedFrom ?? undefined,
    lastUsedClient: token.lastUsedClient ?? undefined,
  })
}

const getAgent = agentRoute(
  {
    method: 'GET',
    path: '/agent',
    summary: 'Whose token this is, and how many devices its workspace can reach.',
    result: Type.Object({
      name: Type.String({ description: 'The name of the token.' }),
      test: Type.Boolean({ description: 'All traffic of the token is recorded, none delivered.' }),
      devices: Type.Integer({ minimum: 0 }),
    }),
  },
  async ({ db }: Deps, { call: { caller } }) => {
    const devices = await countSubscribers(db.read, caller.workspaceId)
    return { name: caller.tokenName, test: caller.test, devices }
  },
)

export function tokenRoutes(deps: Deps): Route[] {
  return withDeps(deps, [getAgent, getKeys, postKey, patchKey, deleteKey])
}
