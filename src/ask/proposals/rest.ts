import { shape } from '../../platform/schema.ts'
import type { AskUserDeps } from '../asking/ask-user.ts'
import { readHookScope, reportHook } from '../hooks/report-hook.ts'
import { agentRoute, type Route, withDeps } from '../rest/route.ts'
import { hookAgentName } from '../wire/client-titles.ts'
import { ContractInForce, HookAddress, HookReply, HookReport } from '../wire/hook-fields.ts'
import { ProposeScopeResult } from '../wire/result-fields.ts'
import { ProposeScopeInput } from '../wire/scope-fields.ts'
import { proposeScope } from './propose-scope.ts'

const postScope = agentRoute(
  {
    method: 'POST',
    path: '/scopes',
    summary: 'Propose the boundary of a session and wait for the decision (propose_scope).',
    input: ProposeScopeInput,
    result: ProposeScopeResult,
    waits: true,
  },
  (deps: AskUserDeps, { input, call }) => proposeScope(deps, input, call),
)

const getScope = agentRoute(
  {
    method: 'GET',
    path: '/scopes/:session',
    summary: 'The contract in force of a session; 404 when nothing holds.',
    result: ContractInForce,
    problems: ['not_found'],
  },
  (deps: AskUserDeps, { params, call }) => readHookScope(deps, params.session ?? '', call),
)

const address = shape(HookAddress)

const postHook = agentRoute(
  {
    method: 'POST',
    path: '/hooks/:client',
    summary:
      'A hook reports its session, asks for a path or an approval, and reads the contract in force.',
    input: HookReport,
    result: HookReply,
    waits: true,
  },
  (deps: AskUserDeps, { input, params, call }) => {
    const { client } = address.parse({ client: params.client })
    const { agentName } = input
    const agentFields =
      agentName === undefined ? {} : { agentName: hookAgentName(client, agentName) }
    return reportHook(deps, { ...input, ...agentFields, client }, call)
  },
)

export function scopeRoutes(deps: AskUserDeps): Route[] {
  return withDeps(deps, [postScope, getScope, postHook])
}
