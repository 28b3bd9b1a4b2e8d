import type { AskDeps } from '../flows/ask-and-wait.ts'
import type { EndQuestionDeps } from '../flows/end-question.ts'
import type { QuickKey } from '../flows/quick-answerer.ts'
import type { SendNotificationDeps } from '../flows/send-notification.ts'
import type { WorkspaceId } from '../kernel/ids.ts'
import type { Authentication } from './auth.ts'
import type { EventHub } from './event-hub.ts'
import type { Limits } from './limits.ts'

/** What the REST face needs of the house. */
export type RestDeps = AskDeps &
  EndQuestionDeps &
  SendNotificationDeps & {
    limits: Limits
    events: EventHub
    /** Aborts when the server begins to close: streams end. */
    closing: AbortSignal
    authentication: Pick<Authentication, 'agentFrom' | 'personFrom' | 'sameOrigin'>
    /** The workspace of a device whose notification button has this key. Throws `forbidden`. */
    quickAnswerer(quick: QuickKey): Promise<WorkspaceId>
  }
