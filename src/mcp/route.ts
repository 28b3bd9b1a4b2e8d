import { Elysia } from 'elysia'
import type { HeldTokens } from '../accounts/held-tokens.ts'
import { VERSION } from '../config/version.ts'
import { askUserTool } from './ask-user.ts'
import { cancelQuestionTool } from './cancel-question.ts'
import { type Called, countCalls } from './count-calls.ts'
import { createEndpoint, type EndpointDeps } from './endpoint.ts'
import { createExchanges } from './exchange.ts'
import { createFace, type FaceDeps, type Mcp } from './face.ts'
import type { McpFlows } from './flows.ts'
import { INSTRUCTIONS } from './instructions.ts'
import { proposeScopeTool } from './propose-scope.ts'
import { sendNotificationTool } from './send-notification.ts'
import type { Tool } from './tool.ts'
import { createToolbox } from './toolbox.ts'
import { waitForAnswerTool } from './wait-for-answer.ts'

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
