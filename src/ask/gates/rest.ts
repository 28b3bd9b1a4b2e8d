import { shape } from '../../platform/schema.ts'
import type { AskUserDeps } from '../asking/ask-user.ts'
import { agentRoute, type Route, withDeps } from '../rest/route.ts'
import {
  GateAddress,
  GateCall,
  GateCallReply,
  GateServer,
  GateServerReply,
  GateToolsReply,
  GateToolsReport,
} from '../wire/gate-fields.ts'
import { checkGateCall } from './check-gate-call.ts'
import { type RegisterDeps, registerUpstream } from './register-upstream.ts'
import { type GateDeps, reportTools } from './report-tools.ts'

export type GateRouteDeps = AskUserDeps & GateDeps & RegisterDeps

const address = shape(GateAddress)

function nameOf({ name }: Record<string, string>): string {
  return address.parse({ name }).name
}

const postTools = agentRoute(
  {
    method: 'POST',
    path: '/gates/:name/tools',
    summary: 'A gate reports the tools that its server lists.',
    input: GateToolsReport,
    result: GateToolsReply,
  },
  (deps: GateRouteDeps, { input, params, call }) => reportTools(deps, nameOf(params), input, call),
)

const postCall = agentRoute(
  {
    method: 'POST',
    path: '/gates/:name/calls',
    summary: 'A gate asks whether a tool call may go on to its server.',
    input: GateCall,
    result: GateCallReply,
    waits: true,
  },
  (deps: GateRouteDeps, { input, params, call }) =>
    checkGateCall(deps, nameOf(params), input, call),
)

const postServer = agentRoute(
  {
    method: 'POST',
    path: '/gates/:name/server',
    summary: 'Puts an MCP server over HTTP behind a gate of this server.',
    input: GateServer,
    result: GateServerReply,
    problems: ['conflict', 'limit_reached'],
  },
  (deps: GateRouteDeps, { input, params, call }) =>
    registerUpstream(deps, nameOf(params), input, call),
)

export function gateRoutes(deps: GateRouteDeps): Route[] {
  return withDeps(deps, [postTools, postCall, postServer])
}
