import { and, asc, eq } from 'drizzle-orm'
import type { Read, Tx } from '../../../platform/db/database.ts'
import type { PersonId, WorkspaceId } from './ids.ts'
import { identities } from './table.ts'

/** An account at a provider: its id means something within one issuer alone. */
export type Account = { provider: string; issuer: string; subject: string }

/** The account of a person at a provider that signs people in. */
export type Identity = Account & {
  workspaceId: WorkspaceId
  personId: PersonId
  /** The address or the name of the account, for people. */
  label: string
  /** The groups at the last sign-in that named them; null as long as none did. */
  groups: string[] | null
  createdAt: number
  usedAt: number
}

export async function findIdentity(read: Read, account: Account): Promise<Identity | undefined> {
  const [row] = await read.select().from(identities).where(isAccount(account))
  return row
}

/** Adds an account; false if it is somebody’s already. */
export async function addIdentity(tx: Tx, identity: Identity): Promise<boolean> {
  const added = await tx.insert(identities).values(identity).onConflictDoNothing().returning()
  return added.length > 0
}

/** Records a sign-in; groups that are not known stay as they were. */
export async function renewIdentity(
  tx: Tx,
  account: Account,
  { usedAt, label, groups }: Pick<Identity, 'usedAt' | 'label' | 'groups'>,
): Promise<void> {
  const change = groups === null ? { usedAt, label } : { usedAt, label, groups }
  await tx.update(identities).set(change).where(isAccount(account))
}

/** The accounts of a person. */
export async function listIdentities(read: Read, personId: PersonId): Promise<Identity[]> {
  return await read
    .select()
    .from(identities)
    .where(eq(identities.personId, personId))
    .orderBy(asc(identities.provider), asc(identities.subject))
}

/** Everybody who signs in with a provider. */
export async function listIdentitiesOf(read: Read, provider: string): Promise<Identity[]> {
  return await read
    .select()
    .from(identities)
    .where(eq(identities.provider, provider))
    .orderBy(asc(identities.subject))
}

/** The accounts of everybody in a workspace. */
export async function listIdentitiesIn(read: Read, workspaceId: WorkspaceId): Promise<Identity[]> {
  return await read.select().from(identities).where(eq(identities.workspaceId, workspaceId))
}

/** Forgets everybody’s accounts at a provider; resolves to how many. */
export async function dropIdentitiesOf(tx: Tx, provider: string): Promise<number> {
  const gone = await tx.delete(identities).where(eq(identities.provider, provider)).returning()
  return gone.length
}

/** Forgets the accounts of a person at a provider, or all of them; resolves to how many. */
export async function dropIdentities(
  tx: Tx,
  personId: PersonId,
  provider?: string,
): Promise<number> {
  const gone = await tx
    .delete(identities)
    .where(
      and(
        eq(identities.personId, personId),
        provider === undefined ? undefined : eq(identities.provider, provider),
      ),
    )
    .returning()
  return gone.length
}

function isAccount({ provider, issuer, subject }: Account) {
  return and(
    eq(identities.provider, provider),
    eq(identities.issuer, issuer),
    eq(identities.subject, subject),
  )
}
