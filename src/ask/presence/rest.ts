import { type Static, Type } from '@sinclair/typebox'
import type { Clock } from '../../platform/clock.ts'
import { isoTime } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { omitUndefined } from '../../platform/json.ts'
import { pageFields } from '../../platform/paging.ts'
import { oneOf } from '../../platform/schema.ts'
import type { Limited } from '../accounts/charge-token.ts'
import type { Policies } from '../policy/model/store.ts'
import { isTest } from '../questions/model/read-ask.ts'
import { agentRoute, personRoute, type Route, withDeps } from '../rest/route.ts'
import { STATUS_ORDER } from '../sessions/model/session.ts'
import {
  readSessionPage,
  reportPresence,
  resumeSession,
  SESSIONS_SIZE,
  type SeenSession,
} from './read-sessions.ts'

type Deps = { db: Db; clock: Clock; policies: Policies; limited?: Limited }

const text = Type.Optional(Type.String())

const ShownSession = Type.Object({
  id: Type.String(),
  sessionId: Type.String(),
  machineId: text,
  machineName: text,
  agentName: text,
  repoKey: text,
  branch: text,
  intent: text,
  lastAction: text,
  lastSeenAt: Type.String({ format: 'date-time' }),
  status: oneOf([...STATUS_ORDER]),
  open: Type.Array(Type.String(), { description: 'correlationIds of what it waits for.' }),
  unanswered: Type.Integer({ description: 'Approvals that ended unanswered in a row.' }),
})

const getSessions = personRoute(
  {
    method: 'GET',
    path: '/sessions',
    summary: 'The sessions of agents in the last week, the blocked first.',
    input: Type.Object(pageFields(SESSIONS_SIZE), { additionalProperties: false }),
    result: Type.Object({ sessions: Type.Array(ShownSession), next: text }),
    problems: ['malformed'],
  },
  async (deps: Deps, { person, input }) => {
    const { items, next } = await readSessionPage(deps, person, input)
    return omitUndefined({ sessions: items.map(shownSession), next })
  },
)

const postResume = personRoute(
  {
    method: 'POST',
    path: '/sessions/:id/resume',
    summary: 'Lift the pause of a session: its approvals are sent again.',
    problems: ['not_found'],
  },
  async (deps: Deps, { person, params }) => {
    await resumeSession(deps, person.workspaceId, params.id ?? '', person.id)
  },
)

const postPresence = agentRoute(
  {
    method: 'POST',
    path: '/sessions/presence',
    summary: 'Say that a terminal on this machine is active, so that phones may stay silent.',
    input: Type.Object(
      {
        machineId: Type.String({ minLength: 1, maxLength: 128 }),
        sessionId: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
      },
      { additionalProperties: false },
    ),
  },
  async (deps: Deps, { call, input }) => {
    // Test traffic keeps no phone silent.
    const { caller } = call
    if (isTest(undefined, caller)) return
    await reportPresence(deps, caller.workspaceId, { ...input, tokenId: caller.tokenId })
  },
)

function shownSession({ session, status, open }: SeenSession): Static<typeof ShownSession> {
  const { id, sessionId, machineId, machineName, agentName, repoKey, branch, intent } = session
  const { lastAction, lastSeenAt, unanswered } = session
  return omitUndefined({
    id,
    sessionId,
    machineId: machineId || undefined,
    machineName,
    agentName,
    repoKey,
    branch,
    intent,
    lastAction,
    lastSeenAt: isoTime(lastSeenAt),
    status,
    open: open.map((question) => question.id),
    unanswered,
  })
}

export function sessionRoutes(deps: Deps): Route[] {
  return withDeps(deps, [getSessions, postResume, postPresence])
}
