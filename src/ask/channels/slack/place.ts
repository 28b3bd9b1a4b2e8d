import type { WorkspaceId } from '../../accounts/model/ids.ts'
import type { AgentSessionId } from '../../sessions/model/session.ts'
import type { SubscriberId } from '../../subscribers/model/subscriber.ts'
import type { QuestionId } from '../../wire/ids.ts'

/** The question of a button or form, and the connected channel that shows it. */
export type SlackPlace = { questionId: QuestionId; subscriberId: SubscriberId }

/** The choice of a button: yes, no, the option of this number, or that a form is wanted. */
export type Choice = 'yes' | 'no' | 'form' | number

const PLACE = /^(q_[0-9a-z]{1,40}) (sub_[0-9a-z]{1,40})$/

/** Encodes the place of a button or a form; Slack signs it when it comes back. */
export function placeText({ questionId, subscriberId }: SlackPlace): string {
  return `${questionId} ${subscriberId}`
}

export function readPlace(text: string): SlackPlace | undefined {
  const [, questionId, subscriberId] = PLACE.exec(text) ?? []
  if (!questionId || !subscriberId) return undefined
  return { questionId: questionId as QuestionId, subscriberId: subscriberId as SubscriberId }
}

export function buttonText(place: SlackPlace, choice: Choice): string {
  return `${placeText(place)} ${choice}`
}

/** The button that was pressed; undefined when it is not ours. */
export function readButton(text: string): { place: SlackPlace; choice: Choice } | undefined {
  const at = text.lastIndexOf(' ')
  const place = readPlace(text.slice(0, at))
  const choice = text.slice(at + 1)
  if (!place) return undefined
  if (choice === 'yes' || choice === 'no' || choice === 'form') return { place, choice }
  return /^\d{1,2}$/.test(choice) ? { place, choice: Number(choice) } : undefined
}

/** The session that a text is for, and the connected channel that it was typed in. */
export type TellPlace = { session: AgentSessionId; subscriberId: SubscriberId }

/** Names the field for what a session does next. */
export const TELL_ACTION = 'tell'

const TELL_PLACE = /^tell (ses_[0-9a-z]{1,40}) (sub_[0-9a-z]{1,40})$/

/** The id of the field's block; Slack signs it when it comes back. */
export function tellBlock({ session, subscriberId }: TellPlace): string {
  return `tell ${session} ${subscriberId}`
}

export function readTellPlace(text: string): TellPlace | undefined {
  const [, session, subscriberId] = TELL_PLACE.exec(text) ?? []
  if (!session || !subscriberId) return undefined
  return { session: session as AgentSessionId, subscriberId: subscriberId as SubscriberId }
}

/** The button of a channel's first message, for whoever wants to link their account. */
export const LINK_ACTION = 'link'

/** The workspace of ours that the button is of; Slack signs it when it comes back. */
export function readWorkspace(text: string): WorkspaceId | undefined {
  return /^ws_[0-9a-z_]{1,40}$/.test(text) ? (text as WorkspaceId) : undefined
}

/** A channel of Slack as the address of a subscriber, under the server that its API is on. */
export function channelEndpoint(apiUrl: string, channel: string): string {
  return `${new URL(apiUrl).origin}/archives/${channel}`
}

export function channelOf(endpoint: string): string | undefined {
  return /\/archives\/([\w-]{1,80})$/.exec(endpoint)?.[1]
}
