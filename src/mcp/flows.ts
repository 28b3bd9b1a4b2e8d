import type { Call } from '../flows/call.ts'
import type {
  SendNotificationInput,
  SendNotificationResult,
} from '../notifications/notification.ts'
import type { AskUserInput } from '../questions/ask-fields.ts'
import type { CancelInput, WaitInput } from '../questions/follow-up-fields.ts'
import type {
  AskUserResult,
  CancelResult,
  ProposeScopeResult,
  WaitResult,
} from '../questions/result-fields.ts'
import type { ProposeScopeInput } from '../scopes/scope-fields.ts'

/** The flows behind the tools, with all that they need already in hand. */
export type McpFlows = {
  askUser(input: AskUserInput, call: Call): Promise<AskUserResult>
  waitForAnswer(input: WaitInput, call: Call): Promise<WaitResult>
  cancelQuestion(input: CancelInput, call: Call): Promise<CancelResult>
  sendNotification(input: SendNotificationInput, call: Call): Promise<SendNotificationResult>
  proposeScope(input: ProposeScopeInput, call: Call): Promise<ProposeScopeResult>
}
