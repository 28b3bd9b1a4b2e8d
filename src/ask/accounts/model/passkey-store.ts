import { and, asc, eq } from 'drizzle-orm'
import type { Read, Tx } from '../../../platform/db/database.ts'
import { passkey } from './auth-tables.ts'
import type { PersonId } from './ids.ts'

/** A passkey as its person knows it; `name` is what the browser called its system. */
export type Passkey = { id: string; name: string | null; createdAt: Date | null }

/** The person's passkeys, the oldest first. */
export async function listPasskeys(read: Read, personId: PersonId): Promise<Passkey[]> {
  return await read
    .select({ id: passkey.id, name: passkey.name, createdAt: passkey.createdAt })
    .from(passkey)
    .where(eq(passkey.userId, personId))
    .orderBy(asc(passkey.createdAt), asc(passkey.id))
}

/** Deletes a passkey of this person. */
export async function dropPasskey(tx: Tx, personId: PersonId, id: string): Promise<void> {
  await tx.delete(passkey).where(and(eq(passkey.id, id), eq(passkey.userId, personId)))
}
