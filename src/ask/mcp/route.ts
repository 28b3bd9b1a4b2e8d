import { callsOf } from '../../platform/http/request.ts'
import type { Dispatcher, IdleTimer } from '../../platform/mcp/dispatcher.ts'
import { createHttpHandler, type HttpHandlerDeps } from '../../platform/mcp/http-handler.ts'
import { VERSION } from '../../platform/program.ts'
import type { HeldTokens } from '../accounts/model/agents.ts'
import { AGENT_TOOLS } from '../agent-tools.ts'
import { ANNOTATIONS, type Tasks, type Tool, type ToolModule } from '../tools/tool.ts'
import { addressForm, addressQuery } from '../wire/address-form.ts'
import { createToolDispatcher, type ToolDispatcherDeps } from './endpoint.ts'
import { createExchanges } from './exchange.ts'
import { createToolbox, type OnCallEnded } from './toolbox.ts'

export const MCP_PATH = '/api/mcp/mcp'

export type McpDeps = Omit<McpEndpointDeps, 'info' | 'exchanges'> & {
  tools: readonly Tool[]
  held: HeldTokens
  /** Calls that became tasks; without it none does. */
  tasks?: Tasks
  /** Called after every tool call. */
  called?: OnCallEnded
}

/** The name of the server in a handshake. */
export const INFO = { name: 'beckon', title: 'Beckon', version: VERSION }

/** The MCP endpoint over the tools. Mount it with `mcpRoute`, or call its `fetch` yourself. */
export function createMcp({ tools, tasks, called, ...rest }: McpDeps): Mcp {
  const deps: McpEndpointDeps & ToolDispatcherDeps = {
    ...rest,
    info: INFO,
    exchanges: createExchanges(rest),
  }
  const all = { tools, tasks, called, log: rest.log }
  const endpoints = new Map<string, Dispatcher>()
  return createMcpEndpoint(deps, (url) => {
    const form = addressForm(url)
    const query = addressQuery(form)
    const existing = endpoints.get(query)
    if (existing) return existing
    const endpoint = createToolDispatcher(deps, createToolbox({ ...all, ...form }))
    endpoints.set(query, endpoint)
    return endpoint
  })
}

type McpEndpointDeps = ToolDispatcherDeps & Omit<HttpHandlerDeps, 'admit'>

/** The MCP address: pass it every request of any method; it never throws. */
export type Mcp = {
  fetch(request: Request, server?: IdleTimer): Promise<Response>
  /** Calls that are being worked on. */
  open(): number
  /**
   * Waits for open calls, and tells those that are left after `graceMs` (2.5 s) that the server is
   * closing. Close the waiters first (`waiters.close()`): their calls then end by themselves.
   */
  close(graceMs?: number): Promise<void>
}

// A call that sent something waits up to 2 s for the first outcomes.
const GRACE_MS = 2_500

/** The endpoint with the replies that are still being worked on. */
export function createMcpEndpoint(
  deps: McpEndpointDeps,
  endpointFor: (url: string) => Dispatcher,
): Mcp {
  const { exchanges, agentFrom, callLimit } = deps
  async function admit(request: Request) {
    callLimit.take((await agentFrom(request)).tokenId, callsOf(request))
  }
  return {
    fetch: createHttpHandler({ ...deps, admit }, ({ url }) => endpointFor(url)),
    open: exchanges.open,
    close: (graceMs = GRACE_MS) => exchanges.close(graceMs),
  }
}

type Modules = Awaited<ReturnType<(typeof AGENT_TOOLS)[number]['load']>>

/** The dependencies of all use cases behind the tools. */
export type ToolDeps = Together<Parameters<Modules['run']>[0]>
type Together<Each> = (Each extends unknown ? (each: Each) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never

/** Runs `tool` with its input, which was checked. */
export type RunTool = (
  tool: ToolModule<ToolDeps>,
  ...rest: [name: string, input: unknown, call: Parameters<Tool['call']>[1]]
) => Promise<object>

/** The tools in the order of `tools/list`, over their use cases. */
export function agentTools(deps: ToolDeps): Promise<Tool[]> {
  return toolsRunBy((tool, _, input, call) => tool.run(deps, input, call))
}

/** The same tools, each call of which goes to `run`. */
export function toolsRunBy(run: RunTool): Promise<Tool[]> {
  return Promise.all(
    AGENT_TOOLS.map(async ({ name, waits, load }): Promise<Tool> => {
      const tool: ToolModule<ToolDeps> = await load()
      const { title, description, inputSchema, outputSchema, lean, read, say } = tool
      return {
        name,
        title,
        description,
        inputSchema,
        outputSchema,
        lean,
        annotations: ANNOTATIONS,
        waits: (args) => waits && args.wait !== false,
        call: (args, call) => run(tool, name, read(args), call),
        say,
      }
    }),
  )
}
