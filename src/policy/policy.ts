import { type Static, Type } from '@sinclair/typebox'
import { oneOf } from '../kernel/schema.ts'

export const DELIVERY_MODES = ['push_first', 'push_only', 'notify_only', 'terminal_only'] as const
export const DeliveryMode = oneOf(DELIVERY_MODES)
export type DeliveryMode = Static<typeof DeliveryMode>

/** A call waits at most this long (spec: Limits, timeoutMs). */
export const WAIT_MAX_MS = 55_000
export const WAIT_MIN_MS = 1_000

/** How a workspace wants to be asked (design: Effective policy). */
export const Policy = Type.Object({
  deliveryMode: DeliveryMode,
  /** How long a call waits for the person, in milliseconds. */
  waitMs: Type.Integer({ minimum: WAIT_MIN_MS, maximum: WAIT_MAX_MS }),
})
export type Policy = Static<typeof Policy>

// 45 s leaves clients that cut a call at 60 s room for a slow network.
export const DEFAULT_POLICY: Policy = { deliveryMode: 'push_first', waitMs: 45_000 }
