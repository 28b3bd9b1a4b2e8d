import { type Static, Type } from '@sinclair/typebox'
import { isoTime } from '../../platform/clock.ts'
import { personRoute } from '../rest/route.ts'
import {
  readCallbackSecrets,
  rotateCallbackSecret,
  type SigningSecrets,
} from './callback-secret.ts'

const ShownSecret = Type.Object({
  secret: Type.String({ description: 'What receivers verify with: whsec_ and base64.' }),
  createdAt: Type.String({ format: 'date-time' }),
  ending: Type.Array(
    Type.Object({
      endsAt: Type.String({ format: 'date-time', description: 'Until when it signs as well.' }),
    }),
    { description: 'Rotated secrets that still sign beside this one.' },
  ),
})

export const getCallbackSecret = personRoute(
  {
    method: 'GET',
    path: '/callback-secret',
    summary: 'The secret that callbacks are signed with.',
    needs: 'callbacks',
    result: ShownSecret,
  },
  async (deps, { person }) => {
    return shownSecret(await readCallbackSecrets(deps, person.workspaceId))
  },
)

export const postRotateSecret = personRoute(
  {
    method: 'POST',
    path: '/callback-secret/rotate',
    summary: 'Make a new secret; the one before signs beside it for 24 hours.',
    needs: 'callbacks',
    result: ShownSecret,
    problems: ['conflict'],
  },
  async (deps, { person }) => {
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
