import { proposeScope } from '../flows/propose-scope.ts'
import { ProposeScopeResult } from '../questions/result-fields.ts'
import { ProposeScopeInput } from '../scopes/scope-fields.ts'
import { agentRoute } from './route.ts'

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
