import { ANNOTATIONS, type Tool } from '../../mcp/tool.ts'
import type { McpFlows } from '../../wire/flows.ts'
import { WaitInput, waitInput } from '../../wire/follow-up-fields.ts'
import { WaitResult } from '../../wire/result-fields.ts'

export function waitForAnswerTool(flows: McpFlows): Tool {
  return {
    name: 'wait_for_answer',
    title: 'Wait for an answer',
    description: [
      'Goes on waiting for a question or scope proposal that is already with the person, or reads how it ended.',
      'Use it with the correlationId of an ask_user or propose_scope call that came back with timedOut or was made with wait: false, or with the linkedCorrelationId of a notification.',
      'It asks nothing new and disturbs nobody. It returns at once when the question has ended; otherwise it waits up to timeoutMs, at most 55 seconds.',
      'status says where the question stands: answered comes with value; cancelled, expired, stopped and missing are final, so do not wait for them again; unavailable means that it cannot be read right now.',
      'After timedOut: true do what handoffAction says, else nextAction, instead of polling on. stopped means that the person wants you to end the task.',
    ].join(' '),
    inputSchema: WaitInput,
    outputSchema: WaitResult,
    annotations: ANNOTATIONS,
    waits: () => true,
    call: (args, call) => flows.waitForAnswer(waitInput.parse(args), call),
  }
}
