import type { Clock } from '../../platform/clock.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Limits } from '../../platform/http/limits.ts'
import type { Log } from '../../platform/log.ts'
import type { Metrics } from '../../platform/metrics.ts'
import type { HeldTokens } from '../accounts/model/agents.ts'
import type { ClientNames } from '../accounts/model/client-names.ts'
import type { Feature } from '../feature.ts'
import type { Callers } from '../rest/route.ts'
import type { Mcp, ToolDeps } from './route.ts'
import type { SignInMcp } from './sign-in.ts'

type Deps = Omit<ToolDeps, 'baseUrl'> & {
  config: Config
  clock: Clock
  log: Log
  metrics: Metrics
  limits: Pick<Limits, 'token'>
  authentication: Pick<Callers['authentication'], 'agentFrom'>
  agents: { held: HeldTokens; clientNames: ClientNames }
  /** The address that asks for a sign-in, beside the one for agents with a token. */
  signInMcp: SignInMcp | undefined
}

export type { SignInMcp }

/** The addresses at which agents call tools. */
export function mcp(deps: Deps): Feature {
  const { config, clock, log, metrics, limits, authentication, agents, signInMcp } = deps
  const { baseUrl, allowedOrigins } = config
  const called = metrics.counter({
    name: 'beckon_mcp_calls_total',
    help: 'Calls of tools, by tool and outcome: ok, or the code of what went wrong.',
    labels: ['tool', 'outcome'],
  })
  const mounted: Mcp[] = []
  return {
    others: async () => {
      const { agentTools, createMcp, MCP_PATH } = await import('./route.ts')
      const { mcpRoute } = await import('../../platform/mcp/http-handler.ts')
      const { questionTasks } = await import('../asking/tasks.ts')
      const toolDeps = { ...deps, baseUrl }
      const shared = {
        clock,
        log,
        baseUrl,
        allowedOrigins,
        tools: await agentTools(toolDeps),
        tasks: questionTasks(toolDeps),
        held: agents.held,
        clientNames: agents.clientNames,
        callLimit: limits.token,
        called,
      }
      const byToken = createMcp({ ...shared, agentFrom: authentication.agentFrom })
      mounted.push(byToken)
      const routes = [{ routes: mcpRoute(MCP_PATH, byToken) }]
      if (!signInMcp) return routes
      const { behindSignIn, scopeRefusal } = await import('./sign-in.ts')
      const bySignIn = createMcp({
        ...shared,
        agentFrom: signInMcp.agentFrom,
        refusalFor: (agent, tool) => scopeRefusal(signInMcp, agent, tool),
      })
      mounted.push(bySignIn)
      const fetch = behindSignIn(signInMcp, bySignIn.fetch)
      return [...routes, { routes: mcpRoute(signInMcp.path, { fetch }) }]
    },
    close: async () => void (await Promise.all(mounted.map((one) => one.close()))),
  }
}
