import { type Static, Type } from '@sinclair/typebox'
import { oneOf } from '../../../platform/schema.ts'
import { canonicalText } from '../../../platform/signing/canonical.ts'
import { sha256 } from '../../../platform/signing/sha256.ts'

/** The kinds of facts about questions, notifications and messages that are sealed. */
export const FACT_KINDS = [
  'question.opened',
  'question.ended',
  'question.answered_late',
  'notification.sent',
  'message.ended',
] as const
export const FactKind = oneOf(FACT_KINDS)
export type FactKind = Static<typeof FactKind>

const words = Type.Union([Type.String(), Type.Null()])

/** An event, and the digest of its content. */
export const Fact = Type.Object({
  kind: FactKind,
  /** The id of the question, the late answer, the notification or the delivery. */
  id: Type.String(),
  workspaceId: Type.String(),
  at: Type.Integer(),
  /** The question or notification that it is about; it is removed with it. */
  subjectId: Type.String(),
  /** The token that asked, sent or withdrew. */
  tokenId: words,
  /** The person who answered. */
  personId: words,
  /** The device or channel that a message was for, or by which somebody answered. */
  deviceId: words,
  /** How a question or message ended; why something was not delivered. */
  outcome: words,
  /** SHA-256, in hex, of the texts and everything else. */
  sha256: Type.String(),
})
export type Fact = Static<typeof Fact>

/** SHA-256, in hex, of a fact, as a link of the chain contains it. */
export function factDigest(fact: Fact): string {
  const { kind, id, workspaceId, at, subjectId, tokenId, personId, deviceId, outcome } = fact
  const { sha256: content } = fact
  const about = { kind, id, workspaceId, at, subjectId, tokenId, personId, deviceId, outcome }
  return sha256(canonicalText({ ...about, sha256: content }))
}

/** SHA-256, in hex, of values in their order. */
export function contentDigest(values: readonly unknown[]): string {
  return sha256(JSON.stringify(values))
}
