import type { TokenId, WorkspaceId } from '../../accounts/model/ids.ts'
import type { NotificationId, QuestionId, SubjectId } from '../../wire/ids.ts'
import type { NotificationContext } from '../../wire/notification-fields.ts'
import type { Targeting } from '../../wire/targeting.ts'

/** `collapsed`: one push announces it together with others. */
export type NotificationHeld = 'quiet_hours' | 'switched_off' | 'collapsed'

/** A notification as it is stored. */
export type Notification = {
  id: NotificationId
  workspaceId: WorkspaceId
  tokenId: TokenId
  title: string
  body: string
  agentName: string | undefined
  machineId: string | undefined
  sessionId: string | undefined
  context: NotificationContext | undefined
  url: string | undefined
  iconUrl: string | undefined
  imageUrl: string | undefined
  targeting: Targeting
  test: boolean
  questionId: QuestionId | undefined
  /** Why it was sent to nobody, if somebody wanted that. */
  held: NotificationHeld | undefined
  /**
   * For messages that replace each other on devices: the id of the first, and the number of
   * messages so far.
   */
  groupId: NotificationId | undefined
  groupSize: number | undefined
  createdAt: number
}

/** The id that its deliveries are filed under: a notification and its question are one message. */
export function subjectOf({ id, questionId }: Pick<Notification, 'id' | 'questionId'>): SubjectId {
  return questionId ?? id
}
