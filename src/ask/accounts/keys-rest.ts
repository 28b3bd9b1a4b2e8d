import { type Static, Type } from '@sinclair/typebox'
import { isoTime } from '../../platform/clock.ts'
import { omitUndefined } from '../../platform/omit-undefined.ts'
import { personRoute } from '../rest/route.ts'
import type { AgentToken } from './agent-token.ts'
import { createToken, readTokens, revokeToken } from './agent-tokens.ts'

const text = Type.Optional(Type.String())
const time = Type.String({ format: 'date-time' })

const ShownKey = Type.Object({
  id: Type.String(),
  name: Type.String(),
  tail: Type.String({ description: 'The last characters of the token.' }),
  test: Type.Boolean({ description: 'All its traffic is test traffic.' }),
  createdAt: time,
  revokedAt: Type.Optional(time),
  lastUsedAt: Type.Optional(time),
  lastUsedFrom: text,
  lastUsedClient: text,
})

const CreatedKey = Type.Object({
  ...ShownKey.properties,
  token: Type.String({ description: 'The token itself; it is shown this once.' }),
})

export const getKeys = personRoute(
  {
    method: 'GET',
    path: '/keys',
    summary:
      'The tokens of agents that you may revoke, newest first, revoked ones too: all for owners, else your own.',
    result: Type.Object({ keys: Type.Array(ShownKey) }),
  },
  async (deps, { person }) => {
    const tokens = await readTokens(deps, person)
    return { keys: tokens.map(shownKey) }
  },
)

export const postKey = personRoute(
  {
    method: 'POST',
    path: '/keys',
    summary: 'Make a token for agents.',
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
  async (deps, { person, input }) => {
    const { workspaceId, id: by } = person
    const { token, record } = await createToken(deps, { ...input, workspaceId, by })
    return { ...shownKey(record), token }
  },
)

export const deleteKey = personRoute(
  {
    method: 'DELETE',
    path: '/keys/:id',
    summary: 'Revoke a token for good.',
    problems: ['not_found'],
  },
  async (deps, { person, params }) => {
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
    revokedAt: revokedAt === null ? undefined : isoTime(revokedAt),
    lastUsedAt: lastUsedAt === null ? undefined : isoTime(lastUsedAt),
    lastUsedFrom: token.lastUsedFrom ?? undefined,
    lastUsedClient: token.lastUsedClient ?? undefined,
  })
}
