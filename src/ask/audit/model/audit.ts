import type { Static } from '@sinclair/typebox'
import {
  type Id,
  newId,
  type PersonId,
  type TokenId,
  type WorkspaceId,
} from '../../../platform/ids.ts'
import { oneOf } from '../../../platform/schema.ts'

/** What has a row of its own, because nothing else that is kept says it. */
export const RECORDED_KINDS = [
  'token.created',
  'token.revoked',
  'token.emptied',
  'device.connected',
  'device.changed',
  'device.removed',
  'person.added',
  'person.reset',
  'person.role_changed',
  'sign_in.succeeded',
  'sign_in.failed',
  'sign_in.ended',
  'passkey.added',
  'passkey.removed',
  'password.changed',
  'sign_in.set_up',
  'sign_in.paired',
  'sign_in.unpaired',
  'policy.changed',
  'switches.changed',
  'rule.changed',
  'callback.changed',
  'slack.changed',
  'session.resumed',
] as const
export type RecordedKind = (typeof RECORDED_KINDS)[number]

/** What is read from the questions, notifications and deliveries themselves. */
const DERIVED_KINDS = [
  'question.opened',
  'question.answered',
  'question.answered_late',
  'question.cancelled',
  'question.stopped',
  'question.expired',
  'notification.sent',
  'message.delivered',
  'message.not_delivered',
] as const

export const AUDIT_KINDS = [...DERIVED_KINDS, ...RECORDED_KINDS] as const
export const AuditKind = oneOf(AUDIT_KINDS)
export type AuditKind = Static<typeof AuditKind>

export type AuditId = Id<'au'>

/** A row of the trail; it holds names as they were, and outlives what it speaks of. */
export type AuditRecord = {
  id: AuditId
  workspaceId: WorkspaceId
  at: number
  kind: RecordedKind
  /** The person who did it, when one did. */
  personId: PersonId | null
  personName: string | null
  tokenId: TokenId | null
  /** What it was done to: the id of a token, a device, a person, a rule. */
  subjectId: string | null
  subjectName: string | null
  /** What else there is to say, in a few words. */
  detail: string | null
}

/** What is known of a change; the rest is null. */
export type RecordedChange = Pick<AuditRecord, 'workspaceId' | 'kind'> &
  Partial<Omit<AuditRecord, 'id' | 'at'>>

/** Id and time of a row, made outside of the transaction that writes it. */
export type AuditStamp = Pick<AuditRecord, 'id' | 'at'>

export function auditStamp(now: number): AuditStamp {
  return { id: newId('au', now), at: now }
}

/** A whole row; what is not named is null. */
export function auditRecord(stamp: AuditStamp, of: RecordedChange): AuditRecord {
  const nobody = { personId: null, personName: null, tokenId: null }
  const nothing = { subjectId: null, subjectName: null, detail: null }
  return { ...nobody, ...nothing, ...of, ...stamp }
}
