import { shape } from '../../platform/schema.ts'
import { agentRoute } from '../rest/route.ts'
import { HookAddress, HookReply, HookReport } from '../wire/hook-fields.ts'
import { reportHook } from './report-hook.ts'

const address = shape(HookAddress)

export const postHook = agentRoute(
  {
    method: 'POST',
    path: '/hooks/:client',
    summary:
      'A hook reports its session, asks for a path or an approval, and reads the contract in force.',
    input: HookReport,
    result: HookReply,
    waits: true,
  },
  (deps, { input, params, call }) =>
    reportHook(deps, { ...input, ...address.parse({ client: params.client }) }, call),
)
