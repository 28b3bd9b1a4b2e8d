import { ANNOTATIONS, type Tool } from '../../mcp/tool.ts'
import type { McpFlows } from '../../wire/flows.ts'
import { CancelInput, cancelInput } from '../../wire/follow-up-fields.ts'
import { CancelResult } from '../../wire/result-fields.ts'

export function cancelQuestionTool(flows: McpFlows): Tool {
  return {
    name: 'cancel_question',
    title: 'Withdraw a question',
    description: [
      'Withdraws a question or scope proposal that is still open, so that the person is not left with one that no longer matters.',
      'Use it when you found the answer yourself, got it another way, changed plans, or were told cancel_then_ask_in_current_client.',
      'Say why in reason, in a few words; the person sees it.',
      'cancelled: true means it is gone. cancelled: false means that something else ended it first; status says what, and when it was answered, value holds the answer: act on that.',
      'It cannot take back an answer, nor a notification, nor what another token asked, unless an owner of the workspace made yours.',
    ].join(' '),
    inputSchema: CancelInput,
    outputSchema: CancelResult,
    annotations: ANNOTATIONS,
    waits: () => false,
    call: (args, call) => flows.cancelQuestion(cancelInput.parse(args), call),
  }
}
