import type { McpFlows } from '../../ask/wire/flows.ts'
import type { Fields, RpcRequest } from '../../platform/mcp/message.ts'
import type { Undelivered } from './deliver.ts'

/** Answers a request with the tools of this version, over flows that need no server. */
export type AnswerWithoutServer = (
  asked: RpcRequest,
  headers: Record<string, string>,
  by: { flows: McpFlows; asksHuman: boolean },
) => Promise<Fields>

type Situation = Undelivered & {
  /** The question that the call had opened before the server went away. */
  correlationId: string | undefined
}

/**
 * What the tools do while the server is away, so that an agent that starts meanwhile keeps them. A
 * call is refused in words that a model reads; one whose question is known is told its id, and that
 * its state cannot be read now.
 */
export function flowsWithoutServer({ failure, away, correlationId }: Situation): McpFlows {
  const refuse = () => Promise.reject(failure)
  const cannotReach = failure.message.split(', so ')[0]
  const hint = `${cannotReach}. The question lives on, and silence is not a yes: call wait_for_answer with this correlationId in a minute, and tell the person that the server is away.`
  const unread = {
    status: 'unavailable',
    answered: false,
    hint,
    nextAction: 'wait_for_answer',
  } as const
  const id = correlationId ?? ''
  return {
    askUser: async ({ question, questions, type = 'confirm' }) => {
      if (!id || !away) return refuse()
      const [rich] = questions ?? []
      const asked = rich ? { question: rich.question, type: 'select' as const } : { question, type }
      return { correlationId: id, ...asked, ...unread }
    },
    waitForAnswer: async ({ correlationId: read }) =>
      away ? { correlationId: read, ...unread } : refuse(),
    cancelQuestion: async ({ correlationId: read }) =>
      away
        ? {
            correlationId: read,
            cancelled: false,
            status: 'unavailable',
            hint: 'The server cannot look right now, so nothing was withdrawn. Call cancel_question again shortly.',
          }
        : refuse(),
    sendNotification: refuse,
    proposeScope: async () => (id && away ? { correlationId: id, ...unread } : refuse()),
  }
}
