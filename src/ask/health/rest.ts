import { Type } from '@sinclair/typebox'
import { isoTime } from '../../platform/clock.ts'
import { oneOf } from '../../platform/schema.ts'
import type { WorkspaceId } from '../accounts/model/ids.ts'
import { LINKS, STATES } from '../check.ts'
import { personRoute, type Route, withDeps } from '../rest/route.ts'
import type { Health } from './health.ts'

type Deps = { health(workspaceId: WorkspaceId): Promise<Health> }

const Check = Type.Object({
  name: Type.String(),
  link: oneOf(LINKS),
  state: oneOf(STATES),
  said: Type.String({ description: 'What was found, in a sentence.' }),
  each: Type.Optional(
    Type.Array(Type.String(), { description: 'The same where there are several of a kind.' }),
  ),
  cure: Type.Optional(Type.String({ description: 'What to do, when something is not right.' })),
  notYet: Type.Optional(
    Type.Literal(true, { description: 'It was not set up, or not used, so far.' }),
  ),
  of: Type.Optional(oneOf(['device'], { description: 'It is about one of many of a kind.' })),
})

const getHealth = personRoute(
  {
    method: 'GET',
    path: '/health',
    summary: 'Each link between an agent and a person, checked now; takes seconds.',
    needs: 'health',
    result: Type.Object({
      ok: Type.Boolean({ description: 'Nothing fails; there may be warnings.' }),
      at: Type.String({ format: 'date-time' }),
      checks: Type.Array(Check),
    }),
  },
  async (deps: Deps, { person }) => {
    const { at, checks } = await deps.health(person.workspaceId)
    return { ok: checks.every(({ state }) => state !== 'fail'), at: isoTime(at), checks }
  },
)

export function checkRoutes(deps: Deps): Route[] {
  return withDeps(deps, [getHealth])
}
