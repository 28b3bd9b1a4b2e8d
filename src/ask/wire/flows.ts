import type { Call } from '../accounts/model/call.ts'
import type { AskUserInput } from './ask-fields.ts'
import type { CancelInput, WaitInput } from './follow-up-fields.ts'
import type { SendNotificationInput, SendNotificationResult } from './notification-fields.ts'
import type {
  AskUserResult,
  CancelResult,
  ProposeScopeResult,
  WaitResult,
} from './result-fields.ts'
import type { ProposeScopeInput } from './scope-fields.ts'

/** The flows behind the tools, with all that they need already in hand. */
export type McpFlows = {
  askUser(input: AskUserInput, call: Call): Promise<AskUserResult>
  waitForAnswer(input: WaitInput, call: Call): Promise<WaitResult>
  cancelQuestion(input: CancelInput, call: Call): Promise<CancelResult>
  sendNotification(input: SendNotificationInput, call: Call): Promise<SendNotificationResult>
  proposeScope(input: ProposeScopeInput, call: Call): Promise<ProposeScopeResult>
}
