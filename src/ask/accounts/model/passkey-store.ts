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

/** What a signature by a passkey is checked against. */
export type PasskeyKey = { id: string; credentialId: string; publicKey: string; counter: number }

/** The passkeys of a person as their authenticators know them. */
export async function listPasskeyKeys(read: Read, personId: PersonId): Promise<PasskeyKey[]> {
  return await read
    .select({
      id: passkey.id,
      credentialId: passkey.credentialID,
      publicKey: passkey.publicKey,
      counter: passkey.counter,
    })
    .from(passkey)
    .where(eq(passkey.userId, personId))
    .orderBy(asc(passkey.createdAt), asc(passkey.id))
}

/** Records how often a passkey has signed, so that a copy of it is noticed; false if it is gone. */
export async function countPasskeyUse(tx: Tx, id: string, counter: number): Promise<boolean> {
  const rows = await tx.update(passkey).set({ counter }).where(eq(passkey.id, id)).returning()
  return rows.length > 0
}
