import { Type } from '@sinclair/typebox'
import { countSubscribers } from '../devices/page-store.ts'
import { agentRoute } from '../rest/route.ts'

export const getAgent = agentRoute(
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
  async ({ db }, { call: { caller } }) => {
    const devices = await countSubscribers(db.read, caller.workspaceId)
    return { name: caller.tokenName, test: caller.test, devices }
  },
)
