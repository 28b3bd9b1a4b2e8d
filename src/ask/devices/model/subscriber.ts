import { type Static, Type } from '@sinclair/typebox'
import type { PersonId, SubscriberId, WorkspaceId } from '../../../platform/ids.ts'
import { oneOf } from '../../../platform/schema.ts'
import { cleanLine } from '../../../platform/text.ts'

export const SUBSCRIBER_KINDS = ['browser', 'phone', 'chat'] as const

/**
 * What a subscriber counts as. A chat channel (Slack) is neither a browser nor a phone: it is in
 * none of the counts `sent`, `delivery.web` and `delivery.mobile`, which are of those two alone,
 * but a question that it took has reached somebody, so that `noDevices` stays away (QS-RULE-4).
 * What holds phones back does not hold it back.
 */
export const SubscriberKind = oneOf(SUBSCRIBER_KINDS)
export type SubscriberKind = Static<typeof SubscriberKind>

/** Limits of what a subscriber may say of itself; our own choice. */
export const LABEL_MAX = 100
export const EXTERNAL_ID_MAX = 200
export const TAG_MAX = 64
export const TAGS_MAX = 20

/** What can be reached: a browser, a phone, or a channel or person of a chat. */
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
  /** The `Authorization` header that the service wants; a secret. */
  authorization?: string | undefined
  label: string
  externalId: string | undefined
  tags: string[]
  userAgent: string | undefined
  createdAt: number
  lastSuccessAt: number | undefined
  lastErrorAt: number | undefined
  lastError: string | undefined
  /** The device itself said that it showed a message, and that somebody tapped one. */
  lastShownAt: number | undefined
  lastOpenedAt: number | undefined
}

/** The targeting fields, spread into each input that has them. */
export const targetingFields = {
  externalIds: Type.Optional(
    Type.Array(Type.String(), {
      description: 'Deliver only to devices with one of these external ids.',
    }),
  ),
  subscriberIds: Type.Optional(
    Type.Array(Type.String(), { description: 'Deliver only to these devices, by subscriber id.' }),
  ),
  tags: Type.Optional(
    Type.Array(Type.String(), {
      description: 'Deliver only to devices that carry any of these tags.',
    }),
  ),
}

/** Whom to reach; with no field given, every device. A device matches when any field names it. */
export const Targeting = Type.Object(targetingFields)
export type Targeting = Static<typeof Targeting>

/**
 * The fields of `input` that name anybody, cleaned as the names of devices are, so that both are the
 * same. A name of which nothing is left stays, and means nobody: without it, it would be everybody.
 */
export function targetingOf(input: Targeting): Targeting {
  const { externalIds, subscriberIds, tags } = input
  return {
    ...(externalIds?.length ? { externalIds: externalIds.map(cleanLine) } : {}),
    ...(subscriberIds?.length ? { subscriberIds: subscriberIds.map(cleanLine) } : {}),
    ...(tags?.length ? { tags: tags.map(cleanLine) } : {}),
  }
}
