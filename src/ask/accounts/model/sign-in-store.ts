import { and, count, desc, eq, gt, inArray, lt, ne, sql } from 'drizzle-orm'
import type { Read, Tx } from '../../../platform/db/database.ts'
import { session } from './auth-tables.ts'
import type { PersonId } from './ids.ts'

/** A browser or an app in which a person is signed in. */
export type SignIn = {
  id: string
  personId: PersonId
  userAgent: string | null
  createdAt: Date
  /** When it was last used, to about ten minutes. */
  updatedAt: Date
  /** Set if a pairing code signed it in. */
  pairedAt: Date | null
}

const SIGN_IN = {
  id: session.id,
  personId: session.userId,
  userAgent: session.userAgent,
  createdAt: session.createdAt,
  updatedAt: session.updatedAt,
  pairedAt: session.pairedAt,
}

const livesOf = (personId: PersonId, now: number) =>
  and(eq(session.userId, personId), gt(session.expiresAt, new Date(now)))

/** How many sign-ins a person has at `now`. */
export async function countSignIns(read: Read, personId: PersonId, now: number): Promise<number> {
  const [row] = await read.select({ signIns: count() }).from(session).where(livesOf(personId, now))
  return row?.signIns ?? 0
}

/** A person's sign-ins from index `offset` on: `first`, then the last used ones. */
export async function listSignIns(
  read: Read,
  personId: PersonId,
  {
    now,
    first = '',
    offset,
    limit,
  }: { now: number; first?: string; offset: number; limit: number },
): Promise<SignIn[]> {
  return await read
    .select(SIGN_IN)
    .from(session)
    .where(livesOf(personId, now))
    .orderBy(
      desc(sql`case when ${session.id} = ${first} then 1 else 0 end`),
      desc(session.updatedAt),
      desc(session.id),
    )
    .limit(limit)
    .offset(offset)
}

/** The sign-ins with these ids that last at `now`, by id. */
export async function readSignIns(
  read: Read,
  ids: readonly string[],
  now: number,
): Promise<Map<string, SignIn>> {
  if (ids.length === 0) return new Map()
  const rows = await read
    .select(SIGN_IN)
    .from(session)
    .where(and(inArray(session.id, [...ids]), gt(session.expiresAt, new Date(now))))
  return new Map(rows.map((row) => [row.id, row]))
}

/** Records that the sign-in was used at `at`, unless that is known since `before`. */
export async function markSignInUsed(
  tx: Tx,
  id: string,
  { at, before }: { at: number; before: number },
): Promise<void> {
  await tx
    .update(session)
    .set({ updatedAt: new Date(at) })
    .where(and(eq(session.id, id), lt(session.updatedAt, new Date(before))))
}

/** The proof of a provider that a sign-in rests on. */
export type Proof = {
  provider: string
  sid?: string | undefined
  until: number
  /** When the person proved themselves there; undefined if the provider does not say. */
  at?: number | undefined
}

/** Records what proved a sign-in, and how long that holds. */
export async function markProven(
  tx: Tx,
  id: string,
  { provider, sid = undefined, until, at = undefined }: Proof,
): Promise<void> {
  await tx
    .update(session)
    .set({
      provider,
      providerSid: sid ?? null,
      provenUntil: new Date(until),
      provenAt: at === undefined ? null : new Date(at),
    })
    .where(eq(session.id, id))
}

/** The latest proof among the sign-ins of a person that holds at `now`. */
export async function findProof(
  read: Read,
  personId: PersonId,
  now: number,
): Promise<Proof | undefined> {
  const [row] = await read
    .select({ provider: session.provider, until: session.provenUntil })
    .from(session)
    .where(and(eq(session.userId, personId), gt(session.provenUntil, new Date(now))))
    .orderBy(desc(session.provenUntil))
    .limit(1)
  if (!row?.provider || !row.until) return undefined
  return { provider: row.provider, until: row.until.getTime() }
}

/** The sign-ins of these people through a provider; those of one session there if `sid` is given. */
export async function listProvenSignIns(
  read: Read,
  of: { provider: string; personId?: PersonId; sid?: string | undefined },
): Promise<SignIn[]> {
  return await read
    .select(SIGN_IN)
    .from(session)
    .where(
      and(
        eq(session.provider, of.provider),
        of.personId === undefined ? undefined : eq(session.userId, of.personId),
        of.sid === undefined ? undefined : eq(session.providerSid, of.sid),
      ),
    )
}

/** Ends the sign-in with this token. */
export async function endSignInWith(tx: Tx, token: string): Promise<void> {
  await tx.delete(session).where(eq(session.token, token))
}

/** Ends every sign-in of the person. */
export async function endAllSignIns(tx: Tx, personId: PersonId): Promise<SignIn[]> {
  return endOtherSignIns(tx, personId, '')
}

/** Records that a pairing code led to this sign-in. */
export async function markPaired(tx: Tx, id: string, at: number): Promise<void> {
  await tx
    .update(session)
    .set({ pairedAt: new Date(at) })
    .where(eq(session.id, id))
}

/** Ends these sign-ins at once: their pages stop. */
export async function endSignIns(tx: Tx, ids: readonly string[]): Promise<SignIn[]> {
  if (ids.length === 0) return []
  const ended = await tx
    .delete(session)
    .where(inArray(session.id, [...ids]))
    .returning(SIGN_IN)
  for (const personId of new Set(ended.map((one) => one.personId))) tx.emit('sign_in', personId)
  return ended
}

/** Ends every sign-in of the person but `kept`. */
export async function endOtherSignIns(
  tx: Tx,
  personId: PersonId,
  exceptId: string,
): Promise<SignIn[]> {
  const rows = await tx
    .select({ id: session.id })
    .from(session)
    .where(and(eq(session.userId, personId), ne(session.id, exceptId)))
  return endSignIns(
    tx,
    rows.map(({ id }) => id),
  )
}
