import type { Static } from '@sinclair/typebox'
import type { Id } from '../../../platform/ids.ts'
import { oneOf } from '../../../platform/schema.ts'
import type { PersonId, WorkspaceId } from '../../accounts/model/ids.ts'

export type SubscriberId = Id<'sub'>

export const SUBSCRIBER_KINDS = ['browser', 'phone', 'chat'] as const

/**
 * The kind of a device. A chat (Slack) or a mailbox is neither a browser nor a phone: it is in none of
 * the counts `sent`, `delivery.web` and `delivery.mobile`, which are of those two only. But a
 * question that it accepted has reached somebody, so `noDevices` stays away (QS-RULE-4). What
 * delays phones does not delay chats.
 */
export const SubscriberKind = oneOf(SUBSCRIBER_KINDS)
export type SubscriberKind = Static<typeof SubscriberKind>

/**
 * The sorts of messages that people can switch off for their devices: questions, notifications by
 * the type of their context (`info` without one), and the outcome that replaces a question on a
 * device. Tests cannot be switched off: they are requested by hand.
 */
export const MESSAGE_SORTS = ['question', 'task_complete', 'info', 'error', 'outcome'] as const
export type MessageSort = (typeof MESSAGE_SORTS)[number]

/** Limits of what a device may say about itself; our own choice. */
export const LABEL_MAX = 100
export const EXTERNAL_ID_MAX = 200

/**
 * Why a browser says that nothing rings there: its permission was withdrawn, its subscription is gone,
 * or it has another one than this server knows.
 */
export type SilentWhy = 'permission' | 'missing' | 'different'

/** The target of notifications: a browser, a phone, or a channel or person of a chat. */
export type Subscriber = {
  id: SubscriberId
  workspaceId: WorkspaceId
  personId: PersonId | undefined
  kind: SubscriberKind
  /** The name of its channel. */
  transport: string
  endpoint: string
  /** The Web Push keys, base64url (RFC 8291). */
  keys: { p256dh: string; auth: string } | undefined
  /** The `Authorization` header that the service requires; a secret. */
  authorization?: string | undefined
  label: string
  externalId: string | undefined
  tags: string[]
  userAgent: string | undefined
  createdAt: number
  lastSuccessAt: number | undefined
  lastErrorAt: number | undefined
  lastError: string | undefined
  /** When the device reported that it showed a message, or that somebody tapped one. */
  lastShownAt: number | undefined
  lastOpenedAt: number | undefined
  /** Since when its own page says that nothing rings there, and why. */
  silentSince?: number | undefined
  silentWhy?: SilentWhy | undefined
  /** The sign-in of the browser that connected it, where it is known. */
  signInId?: string | undefined
}

/** The last message to the device went wrong, or its browser says that nothing can ring there. */
export function failsNow({
  silentWhy,
  lastErrorAt,
  lastSuccessAt,
}: Pick<Subscriber, 'silentWhy' | 'lastErrorAt' | 'lastSuccessAt'>): boolean {
  return (
    silentWhy !== undefined || (lastErrorAt !== undefined && lastErrorAt > (lastSuccessAt ?? 0))
  )
}

const BROWSERS: ReadonlyArray<[RegExp, string]> = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS)\//, 'Chrome'],
  // Other browsers call themselves so too, and only Apple has it.
  [/\bMac OS X\b.*\bSafari\//, 'Safari'],
]

const SYSTEMS: ReadonlyArray<[RegExp, string]> = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b/, 'Mac'],
  [/\bWindows\b/, 'Windows'],
  [/\bLinux\b/, 'Linux'],
]

/** A name for a device that was not given one: "Firefox on Linux". */
export function labelOf(kind: SubscriberKind, userAgent: string | undefined): string {
  const match = (table: typeof BROWSERS) => table.find(([sign]) => sign.test(userAgent ?? ''))?.[1]
  const system = match(SYSTEMS)
  const browser = match(BROWSERS)
  if (browser && system) return `${browser} on ${system}`
  return browser ?? system ?? (kind === 'phone' ? 'Phone' : 'Browser')
}
