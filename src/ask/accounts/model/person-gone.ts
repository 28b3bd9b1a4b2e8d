import type { Read, Tx } from '../../../platform/db/database.ts'
import type { PersonId, TokenId, WorkspaceId } from './ids.ts'
import type { Person } from './person.ts'

/** The person whose data is looked at, in one workspace. */
export type Whose = { workspaceId: WorkspaceId; personId: PersonId }

/** A person who is being removed from a workspace. */
export type Removal = Whose & {
  personName: string
  /** The owner who removes them. */
  by: Person
  /** When, in milliseconds. */
  at: number
  /** The person's tokens that end with them; those that were handed over are not among them. */
  revoked: readonly TokenId[]
}

/**
 * A person who takes no part in a workspace from now on, switched off or as an auditor: what is theirs
 * stays, and does nothing.
 */
export type Absence = Whose & {
  personName: string
  /** An auditor stays signed in. */
  is: 'off' | 'auditor'
  /** The owner who does it; undefined if a directory does. */
  by: Person | undefined
  at: number
  /** The person's tokens, which are refused from now on. */
  tokens: readonly TokenId[]
}

/**
 * The remains of a removed person in a column: nothing, or their id, for the reason that is given.
 */
type Remains = 'nothing' | { stays: string }

/**
 * The treatment of the data of a removed person in one feature. The list of all features is in
 * `src/ask/person-gone.ts`; a test compares it with the tables.
 */
export type PersonGone = {
  /** Every column of the feature's tables that holds a person, as `table.column`. */
  columns: Readonly<Record<string, Remains>>
  /**
   * Ends or deletes them, in the transaction that removes the person; it may run again. What it
   * resolves to is called once that is committed.
   */
  end?(tx: Tx, removal: Removal): Promise<(() => void) | undefined>
  /** As `end`, for somebody who is switched off or becomes an auditor: ends what would act in their name. */
  off?(tx: Tx, absence: Absence): Promise<(() => void) | undefined>
  /** Lists what ends with the person, a sentence each, for the form that removes them. */
  list?(read: Read, whose: Whose, now: number): Promise<string[]>
}

/** `1 device`, `2 devices`. */
export function counted(number: number, thing: string): string {
  return `${number} ${thing}${number === 1 ? '' : 's'}`
}
