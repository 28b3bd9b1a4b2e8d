import type { Static } from '@sinclair/typebox'
import { oneOf } from '../../platform/schema.ts'

export const DELIVERY_MODES = ['push_first', 'push_only', 'notify_only', 'terminal_only'] as const
export const DeliveryMode = oneOf(DELIVERY_MODES, {
  description:
    'push_first and push_only push and wait, notify_only notifies without waiting, terminal_only sends nothing.',
})
export type DeliveryMode = Static<typeof DeliveryMode>

/** Decisions of a rule when nobody answers. */
export const ON_TIMEOUT = ['deny', 'hand_off'] as const
export const OnTimeout = oneOf(ON_TIMEOUT, {
  description:
    'When nobody answers: deny declines (no person did), hand_off leaves it to the client’s own prompt. Without it the delivery mode decides.',
})
export type OnTimeout = Static<typeof OnTimeout>
