import { Type } from '@sinclair/typebox'
import { type Clock, isoTime } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { omitUndefined } from '../../platform/json.ts'
import { oneOf } from '../../platform/schema.ts'
import { GRANT_LENGTHS } from '../questions/model/question.ts'
import { personRoute, type Route, withDeps } from '../rest/route.ts'
import { readGrants, revokeGrant } from './grants.ts'
import type { Grant } from './model/grant.ts'

type Deps = { db: Db; clock: Clock }

const time = (description: string) => Type.String({ format: 'date-time', description })

const ShownGrant = Type.Object({
  id: Type.String(),
  length: oneOf(GRANT_LENGTHS),
  toolName: Type.String(),
  action: Type.String({
    description: 'What is called, as the person read it; how it begins for session_words.',
  }),
  cwd: Type.String({ description: 'The folder in which the agent works.' }),
  argumentsHash: Type.String({
    description: 'SHA-256 of the arguments, before redaction; for session_words of how it begins.',
  }),
  sessionId: Type.String(),
  machineId: Type.Optional(Type.String()),
  agentName: Type.Optional(Type.String()),
  correlationId: Type.String({ description: 'The question that was answered.' }),
  personId: Type.String({ description: 'Who said yes.' }),
  createdAt: time('When.'),
  expiresAt: time('From when on it is asked again; a session may end before.'),
  uses: Type.Integer({ description: 'How many calls it has allowed.' }),
  usedAt: Type.Optional(time('The last of them.')),
})

const getGrants = personRoute(
  {
    method: 'GET',
    path: '/grants',
    summary: 'What people allowed for a while, the newest first.',
    result: Type.Object({ grants: Type.Array(ShownGrant) }),
  },
  async (deps: Deps, { person }) => {
    const grants = await readGrants(deps, person)
    return { grants: grants.map(shownGrant) }
  },
)

const deleteGrant = personRoute(
  {
    method: 'DELETE',
    path: '/grants/:id',
    unproven: true,
    summary: 'Take a grant back, with every other for the same call.',
    problems: ['not_found'],
  },
  (deps: Deps, { person, params }) =>
    revokeGrant(deps, person.workspaceId, params.id ?? '', person.id),
)

function shownGrant(grant: Grant) {
  const { id, length, toolName, action, cwd, argumentsHash, sessionId, machineId } = grant
  const { agentName, questionId: correlationId, personId, createdAt, expiresAt } = grant
  const { uses, usedAt } = grant
  return omitUndefined({
    id,
    length,
    toolName,
    action,
    cwd,
    argumentsHash,
    sessionId,
    machineId: machineId === '' ? undefined : machineId,
    agentName,
    correlationId,
    personId,
    createdAt: isoTime(createdAt),
    expiresAt: isoTime(expiresAt),
    uses,
    usedAt: usedAt === undefined ? undefined : isoTime(usedAt),
  })
}

export function grantRoutes(deps: Deps): Route[] {
  return withDeps(deps, [getGrants, deleteGrant])
}
