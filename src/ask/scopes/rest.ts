import { shape } from '../../platform/schema.ts'
import { agentRoute } from '../rest/route.ts'
import { ContractInForce, HookAddress, HookReply, HookReport } from '../wire/hook-fields.ts'
import { ProposeScopeResult } from '../wire/result-fields.ts'
import { ProposeScopeInput } from '../wire/scope-fields.ts'
import { proposeScope } from './propose-scope.ts'
import { readScope, reportHook } from './report-hook.ts'

export const postScope = agentRoute(
  {
    method: 'POST',
    path: '/scopes',
    summary: 'Propose the boundary of a session and wait for the decision (propose_scope).',
    input: ProposeScopeInput,
    result: ProposeScopeResult,
    waits: true,
  },
  (deps, { input, call }) => proposeScope(deps, input, call),
)

export const getScope = agentRoute(
  {
    method: 'GET',
    path: '/scopes/:session',
    summary: 'The contract in force of a session; 404 when nothing holds.',
    result: ContractInForce,
    problems: ['not_found'],
  },
  (deps, { params, call }) => readScope(deps, params.session ?? '', call),
)

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
