import type { Static } from '@sinclair/typebox'
import { type Id, newId } from '../../../platform/ids.ts'
import { oneOf } from '../../../platform/schema.ts'
import type { PersonId, TokenId, WorkspaceId } from '../../accounts/model/ids.ts'

/** Kinds that have a row of their own, because no other table records them. */
export const RECORDED_KINDS = [
  'token.created',
  'token.connected',
  'client.added',
  'client.removed',
  'token.revoked',
  'token.emptied',
  'token.changed',
  'device.connected',
  'device.changed',
  'device.removed',
  'person.added',
  'person.reset',
  'person.role_changed',
  'person.removed',
  'person.switched_off',
  'person.switched_on',
  'identity.linked',
  'identity.unlinked',
  'provider.changed',
  'directory.changed',
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
  'policy.applied',
  'policy.glass_broken',
  'policy_token.changed',
  'switches.changed',
  'rule.changed',
  'callback.changed',
  'slack.changed',
  'session.resumed',
  'instruction.sent',
  'instruction.withdrawn',
  'instruction.taken',
  'question.failed_over',
  'question.escalated',
  'question.claimed',
  'telegram.changed',
  'chat_account.changed',
  'gate.changed',
  'group.changed',
  'rota.changed',
  'visibility.changed',
  'vote.given',
  'vote.changed',
  'vote.withdrawn',
  'vote.void',
  'grant.given',
  'grant.ended',
  'question.handed_over',
  'question.answer_undone',
  'permit.issued',
  'permit.used',
  'permit.outcome',
  'receipt.signed',
  'history.removed',
  'clock.confirmed',
] as const
export type RecordedKind = (typeof RECORDED_KINDS)[number]

/** Kinds that are read from questions, notifications and deliveries. */
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

const QUIET_KINDS: ReadonlySet<string> = new Set(['receipt.signed', 'permit.issued'])

/** The kinds that are shown if none is asked for: all but those that only follow from an answer. */
export const USUAL_KINDS = AUDIT_KINDS.filter((kind) => !QUIET_KINDS.has(kind))
export const AuditKind = oneOf(AUDIT_KINDS)
export type AuditKind = Static<typeof AuditKind>

export type AuditId = Id<'au'>

/**
 * A row of the audit trail. It stores names as they were, and stays when what it is about is
 * deleted.
 */
export type AuditRecord = {
  id: AuditId
  workspaceId: WorkspaceId
  at: number
  kind: RecordedKind
  /** The person who did it, if any. */
  personId: PersonId | null
  personName: string | null
  tokenId: TokenId | null
  /** The id of the object: a token, a device, a person, a rule. */
  subjectId: string | null
  subjectName: string | null
  /** Further details in a few words. */
  detail: string | null
}

/** The known fields of a change; the rest is null. */
export type RecordedChange = Pick<AuditRecord, 'workspaceId' | 'kind'> &
  Partial<Omit<AuditRecord, 'id' | 'at'>>

/** Id and time of a row, created outside the transaction that writes it. */
export type AuditStamp = Pick<AuditRecord, 'id' | 'at'>

export function auditStamp(now: number): AuditStamp {
  return { id: newId('au', now), at: now }
}

/** A whole row; fields that are not given are null. */
export function auditRecord(stamp: AuditStamp, of: RecordedChange): AuditRecord {
  const nobody = { personId: null, personName: null, tokenId: null }
  const nothing = { subjectId: null, subjectName: null, detail: null }
  return { ...nobody, ...nothing, ...of, ...stamp }
}
