import { omitUndefined } from '../../../platform/json.ts'
import type { PersonId, WorkspaceId } from '../../accounts/model/ids.ts'
import type { Contract } from '../../wire/contract.ts'
import type { QuestionId } from '../../wire/ids.ts'

/** How long an agreed scope holds. */
export const CONTRACT_MS = 12 * 60 * 60_000

/**
 * A contract that a person agreed to, with its paths as they are enforced. It belongs to a session
 * id in a workspace, on every machine that reports this id: a model does not know what machine it
 * is on.
 */
export type Ratified = {
  /** The scope question that was answered with yes. */
  questionId: QuestionId
  workspaceId: WorkspaceId
  sessionId: string
  allowedPaths: string[]
  offLimitsPaths: string[]
  promises: string[]
  doneWhen: string
  /** The person changed the paths before they said yes. */
  edited: boolean
  /** From test traffic, which programs answer themselves: it holds for test traffic only. */
  test: boolean
  ratifiedBy: PersonId | undefined
  ratifiedAt: number
  expiresAt: number
}

/** One exact path that an approved `scopePath` added to a contract. */
export type Widening = {
  /** The question that was answered with yes. */
  questionId: QuestionId
  contractId: QuestionId
  workspaceId: WorkspaceId
  path: string
  at: number
}

/** The contract as results show it. */
export function contractOf(ratified: Ratified): Contract {
  const { allowedPaths, offLimitsPaths, doneWhen, promises } = ratified
  return omitUndefined({
    allowedPaths,
    offLimitsPaths,
    doneWhen,
    promises: promises.length > 0 ? promises : undefined,
  })
}

/** Identifies a contract with its widenings; it changes when either does. */
export function etagOf(contract: Pick<Ratified, 'questionId'> | undefined, widened: number) {
  return contract ? `${contract.questionId}.${widened}` : 'none'
}
