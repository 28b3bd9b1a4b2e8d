import { ANNOTATIONS, type Tool } from '../../mcp/tool.ts'
import { AskUserInput, askUserInput } from '../../wire/ask-fields.ts'
import type { McpFlows } from '../../wire/flows.ts'
import { withoutIgnored } from '../../wire/ignored-fields.ts'
import { AskUserResult } from '../../wire/result-fields.ts'

export function askUserTool(flows: McpFlows): Tool {
  return {
    name: 'ask_user',
    title: 'Ask the user',
    description: [
      'Asks the person a question on their phone and browser and waits for the answer.',
      'Use it when you cannot go on without their decision: approve something risky or costly, choose between ways that differ in outcome, or supply what only they know.',
      'Do not use it for what you can find out or safely decide yourself, nor to report progress (send_notification does that).',
      'Give type confirm for yes or no, select with 2 to 6 options, or input for free text; put what they need to decide into context and the exact operation into action.',
      'The answer comes back as value (yes or no, the chosen option, or the text), perhaps with a note: read it, it may change the task.',
      'One call waits at most 55 seconds while the question stays open for 10 minutes. timedOut: true means no answer yet, not a refusal.',
      'Where nextAction is wait_for_answer, call that with the correlationId once; then, or where it is not, do what handoffAction says, else nextAction.',
      'With noDevices nobody was told, with paused nothing was sent: do not wait. Do not ask a question again that is open.',
    ].join(' '),
    inputSchema: AskUserInput,
    outputSchema: AskUserResult,
    annotations: ANNOTATIONS,
    waits: (args) => args.wait !== false,
    call: (args, call) => flows.askUser(askUserInput.parse(withoutIgnored(args)), call),
  }
}
