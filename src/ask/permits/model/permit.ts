import { isoTime } from '../../../platform/clock.ts'
import type { Id } from '../../../platform/ids.ts'
import type { TokenId, WorkspaceId } from '../../accounts/model/ids.ts'
import type { QuestionId } from '../../wire/ids.ts'

export type PermitId = Id<'permit'>

/** Outcomes of an action that a permit allowed, as the agent reports them. */
export const ACTION_OUTCOMES = ['succeeded', 'failed', 'not_run', 'not_known'] as const
export type ActionOutcome = (typeof ACTION_OUTCOMES)[number]

/** One yes, turned into the right to run one exact action once. */
export type Permit = {
  id: PermitId
  workspaceId: WorkspaceId
  questionId: QuestionId
  tokenId: TokenId
  /** The digest of tool and full arguments, as the agent made it. */
  actionHash: string
  createdAt: number
  /** From when on it allows nothing. */
  expiresAt: number
  consumedAt: number | undefined
  outcome: ActionOutcome | undefined
  detail: string | undefined
  outcomeAt: number | undefined
}

/** The longest digest that is taken; ours is SHA-256 in hex. */
export const ACTION_HASH_MAX = 128
export const DETAIL_MAX = 500

/** How long an action may be begun after its permit was fetched. */
export const PERMIT_MS = 5 * 60_000

/**
 * How long after the yes a permit may be fetched: a reply that was lost can be requested again
 * until then.
 */
export const FETCH_MS = 60 * 60_000

/** The words of the audit trail about a permit that was fetched. */
export function issuedWords({ id, actionHash, expiresAt }: Permit): string {
  return `${id} until ${isoTime(expiresAt)}, SHA-256 ${actionHash}`
}

/** The words of the audit trail about a permit that was used. */
export function usedWords({ actionHash }: Pick<Permit, 'actionHash'>): string {
  return `SHA-256 ${actionHash}`
}

/** The words of the audit trail about the outcome; undefined until one is reported. */
export function outcomeWords({ outcome, detail }: Pick<Permit, 'outcome' | 'detail'>) {
  return detail === undefined ? outcome : `${outcome}: ${detail}`
}
