import { reportHook } from '../flows/report-hook.ts'
import { shape } from '../kernel/schema.ts'
import { HookAddress, HookReply, HookReport } from '../scopes/hook-fields.ts'
import { agentRoute } from './route.ts'

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
