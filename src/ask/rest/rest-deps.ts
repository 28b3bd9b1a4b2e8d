import type { Limits } from '../../platform/http/limits.ts'
import type { Authentication } from '../accounts/authentication.ts'
import type { ChannelModule } from '../delivery/channels/module.ts'
import type { DeviceReportDeps } from '../devices/device-reports.ts'
import type { TestPushDeps } from '../devices/send-test-push.ts'
import type { SubscribeDeps } from '../devices/subscribe.ts'
import type { createHealth } from '../health/health.ts'
import type { EventHub } from '../home/event-hub.ts'
import type { SendNotificationDeps } from '../notifications/send-notification.ts'
import type { AskUserDeps } from '../questions/ask-user.ts'
import type { EndQuestionDeps } from '../questions/end-question.ts'

type Health = ReturnType<typeof createHealth>

/** What the REST face needs of the house. */
export type RestDeps = AskUserDeps &
  DeviceReportDeps &
  EndQuestionDeps &
  SendNotificationDeps &
  SubscribeDeps &
  TestPushDeps & {
    limits: Limits
    channels: readonly ChannelModule[]
    /** What devices subscribe with. */
    vapidPublicKey: string
    health: Health
    events: EventHub
    /** Aborts when the server begins to close: streams end. */
    closing: AbortSignal
    authentication: Pick<Authentication, 'agentFrom' | 'hold' | 'personFrom' | 'sameOrigin'>
  }
