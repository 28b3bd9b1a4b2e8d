import type { HeldTokens } from '../../accounts/held-tokens.ts'
import { systemClock as clock } from '../../kernel/clock.ts'
import type { Failure } from '../../kernel/failure.ts'
import { newId } from '../../kernel/ids.ts'
import { silentLog as log } from '../../kernel/log.ts'
import { createEndpoint } from '../../mcp/endpoint.ts'
import { createExchanges } from '../../mcp/exchange.ts'
import type { McpFlows } from '../../mcp/flows.ts'
import { INSTRUCTIONS } from '../../mcp/instructions.ts'
import { agentTools, INFO } from '../../mcp/route.ts'
import { createToolbox } from '../../mcp/toolbox.ts'
import type { Fields, RpcRequest } from '../../protocol/message.ts'

/**
 * What a server of this version answers, without a server: an agent that starts while it is away
 * keeps its tools. Each call of a tool is refused with `why`, in words that a model reads.
 */
export async function standIn(asked: RpcRequest, headers: object, why: Failure): Promise<Fields> {
  const refuse = () => Promise.reject(why)
  const tools: McpFlows = {
    askUser: refuse,
    waitForAnswer: refuse,
    cancelQuestion: refuse,
    sendNotification: refuse,
    proposeScope: refuse,
  }
  const here = createEndpoint(
    {
      info: INFO,
      exchanges: createExchanges({ clock, log, held: NOTHING_HELD }),
      log,
      agentFrom: async () => NOBODY,
      callLimit: { take() {} },
    },
    createToolbox({
      tools: agentTools(tools).map((tool) => ({ ...tool, waits: () => false })),
      instructions: INSTRUCTIONS,
      log,
    }),
  )
  const request = new Request('http://localhost/', { headers: { ...headers } })
  const response = await here({ request, server: null, asked, arrivedAt: clock.now() })
  return (await response.json()) as Fields
}

const NOBODY = {
  tokenId: newId('key', 0),
  tokenName: '',
  workspaceId: newId('ws', 0),
  test: false,
}
const NOTHING_HELD: HeldTokens = { add() {}, remove() {}, [Symbol.dispose]() {} }
