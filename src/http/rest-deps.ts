import type { Caller } from '../accounts/agent.ts'
import type { Person } from '../accounts/person.ts'
import type { AskDeps } from '../flows/ask-and-wait.ts'
import type { EndQuestionDeps } from '../flows/end-question.ts'
import type { SendNotificationDeps } from '../flows/send-notification.ts'
import type { QuestionId, WorkspaceId } from '../kernel/ids.ts'
import type { EventHub } from './event-hub.ts'
import type { Limits } from './limits.ts'

/** What a notification button sends in place of a session. */
export type QuickKey = { questionId: QuestionId; subscriberId: string; key: string }

/** What the REST face needs of the house. */
export type RestDeps = AskDeps &
  EndQuestionDeps &
  SendNotificationDeps & {
    limits: Limits
    events: EventHub
    trustProxy: boolean
    /** Aborts when the server begins to close: streams end. */
    closing: AbortSignal
    /** Who calls with a token. Throws `unauthenticated`, `rate_limited`. */
    agentFrom(request: Request, address: string): Promise<Caller>
    /** Who is signed in, in the workspace they look at. */
    personFrom(request: Request): Promise<Person | undefined>
    /** Whether a write comes from our own pages, or from no page at all. */
    sameOrigin(request: Request): boolean
    /** The workspace of a device whose notification button has this key. Throws `forbidden`. */
    quickAnswerer(quick: QuickKey): Promise<WorkspaceId>
  }
