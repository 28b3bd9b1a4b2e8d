import type { HeldTokens } from '../../ask/accounts/held-tokens.ts'
import { createEndpoint } from '../../ask/mcp/endpoint.ts'
import { createExchanges } from '../../ask/mcp/exchange.ts'
import { agentTools, HUMAN_NAMES, INFO } from '../../ask/mcp/route.ts'
import { createToolbox } from '../../ask/mcp/toolbox.ts'
import { cancelResultWithout, waitResultWithout } from '../../ask/questions/result.ts'
import type { McpFlows } from '../../ask/wire/flows.ts'
import { INSTRUCTIONS } from '../../ask/wire/instructions.ts'
import { systemClock as clock } from '../../platform/clock.ts'
import { newId } from '../../platform/ids.ts'
import { silentLog as log } from '../../platform/log.ts'
import type { Fields, RpcRequest } from '../../platform/mcp/message.ts'
import type { Undelivered } from './deliver.ts'

export type Situation = Undelivered & {
  /** The question that the call had opened before the server went away. */
  correlationId: string | undefined
  /** The client hides `ask_user`. */
  asksHuman: boolean
}

/**
 * What a server of this version answers, without a server: an agent that starts while it is away
 * keeps its tools. A call of a tool is refused in words that a model reads; one whose question is known
 * is told its id, and that its state cannot be read now.
 */
export async function standIn(
  asked: RpcRequest,
  headers: object,
  situation: Situation,
): Promise<Fields> {
  const tools = agentTools(flowsFor(situation)).map((tool) => ({ ...tool, waits: () => false }))
  const names = situation.asksHuman ? HUMAN_NAMES : {}
  const here = createEndpoint(
    {
      info: INFO,
      exchanges: createExchanges({ clock, log, held: NOTHING_HELD }),
      log,
      agentFrom: async () => NOBODY,
      callLimit: { take() {} },
    },
    createToolbox({ tools, instructions: INSTRUCTIONS, log, names }),
  )
  const request = new Request('http://localhost/', { headers: { ...headers } })
  const response = await here({ request, server: null, asked, arrivedAt: clock.now() })
  return (await response.json()) as Fields
}

function flowsFor({ failure, away, correlationId }: Situation): McpFlows {
  const refuse = () => Promise.reject(failure)
  const hint = `${failure.message.split(', so ')[0]}. The question lives on, and silence is not a yes: call wait_for_answer with this correlationId in a minute, and tell the person that the server is away.`
  const unread = { status: 'unavailable', answered: false, hint } as const
  const next = { nextAction: 'wait_for_answer' } as const
  const id = correlationId ?? ''
  return {
    askUser: async ({ question, questions, type = 'confirm' }) => {
      if (!id || !away) return refuse()
      const [rich] = questions ?? []
      const asked = rich ? { question: rich.question, type: 'select' as const } : { question, type }
      return { correlationId: id, ...asked, ...unread, ...next }
    },
    waitForAnswer: async ({ correlationId: read }) =>
      away ? { ...waitResultWithout(read, 'unavailable'), ...next, hint } : refuse(),
    cancelQuestion: async ({ correlationId: read }) =>
      away ? cancelResultWithout(read, 'unavailable') : refuse(),
    sendNotification: refuse,
    proposeScope: async () => (id && away ? { correlationId: id, ...unread, ...next } : refuse()),
  }
}

const NOBODY = {
  tokenId: newId('key', 0),
  tokenName: '',
  workspaceId: newId('ws', 0),
  test: false,
}
const NOTHING_HELD: HeldTokens = { add() {}, remove() {}, [Symbol.dispose]() {} }
