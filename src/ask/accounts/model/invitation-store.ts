import { and, eq, gt, inArray, like } from 'drizzle-orm'
import type { Read, Tx } from '../../../platform/db/database.ts'
import { verification } from './auth-tables.ts'
import type { PersonId } from './ids.ts'

/**
 * A link with which one person, once, chooses how they sign in; only the hash of its code is
 * stored.
 */
export type Invitation = {
  id: string
  hash: string
  personId: PersonId
  expiresAt: number
  /** The person who created it; undefined for one made on the server. */
  invitedBy?: PersonId
}

export async function addInvitation(tx: Tx, invitation: Invitation, now: number): Promise<void> {
  const { id, hash, personId, expiresAt, invitedBy = null } = invitation
  const at = new Date(now)
  await tx.insert(verification).values({
    id,
    identifier: identifier(hash),
    value: personId,
    expiresAt: new Date(expiresAt),
    createdAt: at,
    updatedAt: at,
    invitedBy,
  })
}

/** The people whom this person invited with links that still work. */
export async function listInvitationsBy(
  read: Read,
  inviter: PersonId,
  now: number,
): Promise<PersonId[]> {
  const rows = await read
    .select({ personId: verification.value })
    .from(verification)
    .where(and(eq(verification.invitedBy, inviter), gt(verification.expiresAt, new Date(now))))
  return rows.map(({ personId }) => personId)
}

/** The person an invitation is for, while it is valid. */
export async function findInvitation(
  read: Read,
  hash: string,
  now: number,
): Promise<PersonId | undefined> {
  const [invitation] = await read
    .select({ personId: verification.value })
    .from(verification)
    .where(
      and(eq(verification.identifier, identifier(hash)), gt(verification.expiresAt, new Date(now))),
    )
  return invitation?.personId
}

/** True if a person made the invitation, and not whoever runs the server. */
export async function isFromPerson(read: Read, hash: string): Promise<boolean> {
  const [invitation] = await read
    .select({ invitedBy: verification.invitedBy })
    .from(verification)
    .where(eq(verification.identifier, identifier(hash)))
  return typeof invitation?.invitedBy === 'string'
}

/** When the invitations of these people expire; without those that have expired. */
export async function listInvitations(
  read: Read,
  people: readonly PersonId[],
  now: number,
): Promise<ReadonlyMap<PersonId, number>> {
  if (people.length === 0) return new Map()
  const rows = await read
    .select({ personId: verification.value, expiresAt: verification.expiresAt })
    .from(verification)
    .where(
      and(
        inArray(verification.value, [...people]),
        like(verification.identifier, 'invitation:%'),
        gt(verification.expiresAt, new Date(now)),
      ),
    )
  return new Map(rows.map(({ personId, expiresAt }) => [personId, expiresAt.getTime()]))
}

/** As `findInvitation`, and uses the invitation up: of two who try, one succeeds. */
export async function takeInvitation(
  tx: Tx,
  hash: string,
  now: number,
): Promise<PersonId | undefined> {
  const [row] = await tx
    .delete(verification)
    .where(
      and(eq(verification.identifier, identifier(hash)), gt(verification.expiresAt, new Date(now))),
    )
    .returning()
  return row?.value
}

/** Deletes unused invitations of this person. */
export async function dropInvitations(tx: Tx, personId: PersonId): Promise<void> {
  await tx.delete(verification).where(eq(verification.value, personId))
}

function identifier(hash: string): string {
  return `invitation:${hash}`
}
