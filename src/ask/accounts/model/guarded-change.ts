import type { Tx } from '../../../platform/db/database.ts'
import { Failure } from '../../../platform/failure.ts'
import type { PersonId, WorkspaceId } from './ids.ts'

/** Who wants a change: a person, or a program for the person who made its token. */
export type Proposer = {
  id?: PersonId | undefined
  /** Of a person it is read from their id. */
  name?: string | undefined
  /** For a program: who made its token; null if that is not known. */
  maker?: PersonId | null
}

/** A change of who may decide, as it is stored until others have agreed to it. */
export type GuardedChange = {
  workspaceId: WorkspaceId
  by: Proposer
  /** The entry of `CHANGES` that makes it. */
  kind: string
  /** What that entry needs, as JSON. */
  input: unknown
}

/** Makes a change, or throws `NeedsAgreement`: then it is undone. */
export type Guard = <T>(tx: Tx, change: GuardedChange, write: () => Promise<T>) => Promise<T>

/**
 * Thrown where others have to agree to a change (`protect`). Pages, REST and commands then propose it;
 * wherever that is forgotten, nothing is changed.
 */
export class NeedsAgreement extends Failure {
  readonly change: GuardedChange
  /** A secret that works once the change is agreed to, and is shown only now. */
  secret: { name: string; value: string } | undefined

  constructor(change: GuardedChange) {
    super(
      { code: 'needs_agreement', status: 409, title: 'Others have to agree first' },
      'The policy protects this: others have to agree first. Nothing was changed.',
    )
    this.change = change
  }
}

/** Adds the secret to show with a proposal to what `work` throws. */
export async function withSecret<T>(
  secret: { name: string; value: string },
  work: Promise<T>,
): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof NeedsAgreement) error.secret = secret
    throw error
  }
}
