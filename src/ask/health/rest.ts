import { Type } from '@sinclair/typebox'
import { isoTime } from '../../platform/clock.ts'
import { oneOf } from '../../platform/schema.ts'
import { personRoute } from '../rest/route.ts'
import { LINKS, STATES } from './model/check.ts'

const Check = Type.Object({
  name: Type.String(),
  link: oneOf(LINKS),
  state: oneOf(STATES),
  said: Type.String({ description: 'What was found, in a sentence.' }),
  cure: Type.Optional(Type.String({ description: 'What to do, when something is not right.' })),
})

export const getHealth = personRoute(
  {
    method: 'GET',
    path: '/health',
    summary: 'Each link between an agent and a person, proved now; takes seconds.',
    needs: 'health',
    result: Type.Object({
      ok: Type.Boolean({ description: 'Nothing fails; there may be warnings.' }),
      at: Type.String({ format: 'date-time' }),
      checks: Type.Array(Check),
    }),
  },
  async (deps, { person }) => {
    const { at, checks } = await deps.health(person.workspaceId)
    return { ok: checks.every(({ state }) => state !== 'fail'), at: isoTime(at), checks }
  },
)
