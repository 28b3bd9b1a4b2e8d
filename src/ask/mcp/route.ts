import { Elysia } from 'elysia'
import { VERSION } from '../../platform/config/version.ts'
import type { HeldTokens } from '../accounts/held-tokens.ts'
import { sendNotificationTool } from '../notifications/mcp.ts'
import { askUserTool } from '../questions/mcp/ask-user.ts'
import { cancelQuestionTool } from '../questions/mcp/cancel-question.ts'
import { waitForAnswerTool } from '../questions/mcp/wait-for-answer.ts'
import { proposeScopeTool } from '../scopes/mcp.ts'
import type { McpFlows } from '../wire/flows.ts'
import { INSTRUCTIONS } from '../wire/instructions.ts'
import { type Called, countCalls } from './count-calls.ts'
import { createEndpoint, type EndpointDeps } from './endpoint.ts'
import { createExchanges } from './exchange.ts'
import { createFace, type FaceDeps, type Mcp } from './face.ts'
import type { Tool } from './tool.ts'
import { createToolbox } from './toolbox.ts'

export const MCP_PATH = '/api/mcp/mcp'

export type McpDeps = Omit<FaceDeps, 'info' | 'exchanges'> & {
  tools: McpFlows
  held: HeldTokens
  /** Hears of every call that ended. */
  called?: Called
}

/** The tools in the order of `tools/list`. */
export function agentTools(flows: McpFlows): Tool[] {
  return [
    askUserTool(flows),
    waitForAnswerTool(flows),
    cancelQuestionTool(flows),
    sendNotificationTool(flows),
    proposeScopeTool(flows),
  ]
}

/** What the server calls itself in a handshake. */
export const INFO = { name: 'beckon', title: 'Beckon', version: VERSION }

/** The MCP face over the flows. Mount it with `mcpRoute`, or call its `fetch` by yourself. */
export function createMcp({ tools, called = () => {}, ...given }: McpDeps): Mcp {
  const deps: FaceDeps & EndpointDeps = { ...given, info: INFO, exchanges: createExchanges(given) }
  const counted = agentTools(tools).map((tool) => countCalls(tool, called))
  const all = { tools: counted, instructions: INSTRUCTIONS, log: given.log }
  const usual = createEndpoint(deps, createToolbox(all))
  const renamed = createEndpoint(deps, createToolbox({ ...all, names: HUMAN_NAMES }))
  return createFace(deps, (url) => (asksHuman(url) ? renamed : usual))
}

/** One client hides every tool named `ask_user` when it runs alone. */
export const HUMAN_NAMES = { ask_user: 'ask_human' } as const

function asksHuman(url: string): boolean {
  const query = url.indexOf('?')
  if (query < 0) return false
  return new URLSearchParams(url.slice(query + 1)).get('ask') === 'ask_human'
}

/** The route; the body is read by the face itself, so that its limits and errors are its own. */
export function mcpRoute({ fetch }: Pick<Mcp, 'fetch'>, path = MCP_PATH) {
  return new Elysia().all(path, ({ request, server }) => fetch(request, server), {
    parse: 'none',
  })
}
