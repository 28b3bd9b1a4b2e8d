import { systemClock as clock } from '../../platform/clock.ts'
import { newId } from '../../platform/ids.ts'
import { silentLog as log } from '../../platform/log.ts'
import type { Fields, RpcRequest } from '../../platform/mcp/message.ts'
import type { HeldTokens } from '../accounts/model/held-tokens.ts'
import type { McpFlows } from '../wire/flows.ts'
import { INSTRUCTIONS } from '../wire/instructions.ts'
import { agentTools } from './agent-tools.ts'
import { createEndpoint } from './endpoint.ts'
import { createExchanges } from './exchange.ts'
import { HUMAN_NAMES, INFO } from './route.ts'
import { createToolbox } from './tool.ts'

/** One request, answered by the tools of this version over `flows`; no token is looked at. */
export async function answerWithoutServer(
  asked: RpcRequest,
  headers: Record<string, string>,
  { flows, asksHuman }: { flows: McpFlows; asksHuman: boolean },
): Promise<Fields> {
  const tools = agentTools(flows).map((tool) => ({ ...tool, waits: () => false }))
  const names = asksHuman ? HUMAN_NAMES : {}
  const endpoint = createEndpoint(
    {
      info: INFO,
      exchanges: createExchanges({ clock, log, held: NOTHING_HELD }),
      log,
      agentFrom: async () => NOBODY,
      callLimit: { take() {} },
    },
    createToolbox({ tools, instructions: INSTRUCTIONS, log, names }),
  )
  const request = new Request('http://localhost/', { headers })
  const response = await endpoint({ request, server: null, asked, arrivedAt: clock.now() })
  return (await response.json()) as Fields
}

const NOBODY = {
  tokenId: newId('key', 0),
  tokenName: '',
  workspaceId: newId('ws', 0),
  test: false,
}
const NOTHING_HELD: HeldTokens = { add() {}, remove() {}, [Symbol.dispose]() {} }
