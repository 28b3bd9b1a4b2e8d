import { systemClock as clock } from '../../platform/clock.ts'
import type { Failure } from '../../platform/failure.ts'
import { newId } from '../../platform/ids.ts'
import { silentLog as log } from '../../platform/log.ts'
import { Refused, RPC, refusal } from '../../platform/mcp/errors.ts'
import type { Fields, RpcRequest } from '../../platform/mcp/message.ts'
import type { HeldTokens } from '../accounts/model/agents.ts'
import type { Tasks } from '../tools/tool.ts'
import { createToolDispatcher } from './endpoint.ts'
import { createExchanges } from './exchange.ts'
import { INFO, type RunTool, toolsRunBy } from './route.ts'
import { createToolbox } from './toolbox.ts'

/** Why the server did not answer, and what is known all the same. */
type OfflineState = {
  failure: Failure
  /** True if nobody answers there; otherwise the token or the address is wrong. */
  away: boolean
  /** The question that the call had opened before the server went away. */
  correlationId: string | undefined
  asksHuman: boolean
}

/**
 * Answers one request with the tools of this version while the server cannot, so that an agent that
 * starts meanwhile keeps them. A call fails with a message for the model; a call with a known
 * question returns its id and says that its state cannot be read now. No token is checked.
 */
export async function answerWithoutServer(
  message: RpcRequest,
  headers: Record<string, string>,
  offline: OfflineState,
): Promise<Fields> {
  const tools = await toolsRunBy(standInFor(offline))
  const endpoint = createToolDispatcher(
    {
      info: INFO,
      exchanges: createExchanges({ clock, log, held: NOTHING_HELD }),
      log,
      agentFrom: async () => NOBODY,
      callLimit: { take() {} },
    },
    createToolbox({
      tools: tools.map((tool) => ({ ...tool, waits: () => false })),
      log,
      asksHuman: offline.asksHuman,
      lean: true,
      tasks: tasksAway(offline),
    }),
  )
  const request = new Request('http://localhost/', { headers })
  const response = await endpoint({ request, server: null, message, arrivedAt: clock.now() })
  return (await response.json()) as Fields
}

function standInFor({ failure, away, correlationId }: OfflineState): RunTool {
  const unread = {
    status: 'unavailable',
    answered: false,
    hint: 'The server is away. The question is still there, and silence is neither yes nor no: call wait_for_answer in a minute, and say that the server is away.',
    nextAction: 'wait_for_answer',
  } as const
  return async (tool, _, input) => {
    const result = away ? tool.withoutServer?.(input, { correlationId, unread }) : undefined
    if (!result) throw failure
    return result
  }
}

/** No outcome, so that a client which follows a task asks again. */
function tasksAway({ failure }: OfflineState): Tasks {
  const away = async () => {
    throw new Refused(refusal(200, RPC.internal, failure.message))
  }
  return { get: away, update: away, cancel: away }
}

const NOBODY = {
  tokenId: newId('key', 0),
  tokenName: '',
  workspaceId: newId('ws', 0),
  test: false,
}
const NOTHING_HELD: HeldTokens = { add() {}, remove() {}, [Symbol.dispose]() {} }
