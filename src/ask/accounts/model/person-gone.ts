import type { Read, Tx } from '../../../platform/db/database.ts'
import type { PersonId, TokenId, WorkspaceId } from '../../../platform/ids.ts'
import type { Person } from './person.ts'

/** Whose things are looked at: a person, in one workspace. */
export type Whose = { workspaceId: WorkspaceId; personId: PersonId }

/** A person who is being removed from a workspace. */
export type Removal = Whose & {
  personName: string
  /** The owner who removes them. */
  by: Person
  /** When, in milliseconds. */
  at: number
  /** Their tokens that end with them; those that were handed over are not among them. */
  revoked: readonly TokenId[]
}

/** What a column holds of a removed person: nothing, or their id, for the reason that is given. */
type Remains = 'nothing' | { stays: string }

/**
 * What a feature does with the things of somebody who is removed. The list of all features is in
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
  /** What there is to end, a sentence each, for the form that removes the person. */
  list?(read: Read, whose: Whose, now: number): Promise<string[]>
}

/** `1 device`, `2 devices`. */
export function counted(number: number, thing: string): string {
  return `${number} ${thing}${number === 1 ? '' : 's'}`
}
