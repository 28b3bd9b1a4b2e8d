import type { AskUserDeps } from '../flows/ask-user.ts'
import type { DeviceReportDeps } from '../flows/device-reports.ts'
import type { createHealth } from '../flows/doctor/health.ts'
import type { EndQuestionDeps } from '../flows/end-question.ts'
import type { SendNotificationDeps } from '../flows/send-notification.ts'
import type { TestPushDeps } from '../flows/send-test-push.ts'
import type { SubscribeDeps } from '../flows/subscribe.ts'
import type { Authentication } from './auth.ts'
import type { EventHub } from './event-hub.ts'
import type { Limits } from './limits.ts'

type Health = ReturnType<typeof createHealth>

/** What the REST face needs of the house. */
export type RestDeps = AskUserDeps &
  DeviceReportDeps &
  EndQuestionDeps &
  SendNotificationDeps &
  SubscribeDeps &
  TestPushDeps & {
    limits: Limits
    /** What devices subscribe with. */
    vapidPublicKey: string
    health: Health
    events: EventHub
    /** Aborts when the server begins to close: streams end. */
    closing: AbortSignal
    authentication: Pick<Authentication, 'agentFrom' | 'hold' | 'personFrom' | 'sameOrigin'>
  }
