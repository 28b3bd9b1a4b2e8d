import { and, asc, eq, gt, lte, or } from 'drizzle-orm'
import type { Read, Tx } from '../../../platform/db/database.ts'
import type { PersonId, WorkspaceId } from '../../accounts/model/ids.ts'
import type { AccountCode, ChatAccount, ChatPrompt, ChatService } from './account.ts'
import { accountCodes, chatAccounts, chatPrompts } from './table.ts'

/** Keeps a code in place of an earlier one for the same account, and forgets the expired. */
export async function putAccountCode(tx: Tx, code: AccountCode, now: number): Promise<void> {
  const { service, account } = code
  const earlier = and(eq(accountCodes.service, service), eq(accountCodes.account, account))
  await tx.delete(accountCodes).where(or(earlier, lte(accountCodes.expiresAt, now)))
  await tx.insert(accountCodes).values(code)
}

/** Uses a code up; undefined for one that does not exist here, was used, or has expired. */
export async function takeAccountCode(
  tx: Tx,
  { hash, workspaceId, now }: { hash: string; workspaceId: WorkspaceId; now: number },
): Promise<AccountCode | undefined> {
  const [code] = await tx
    .delete(accountCodes)
    .where(
      and(
        eq(accountCodes.hash, hash),
        eq(accountCodes.workspaceId, workspaceId),
        gt(accountCodes.expiresAt, now),
      ),
    )
    .returning()
  return code
}

/** Keeps whose account it is, in place of an earlier person. */
export async function putAccount(tx: Tx, account: ChatAccount): Promise<void> {
  const { personId, workspaceId, label, createdAt } = account
  await tx
    .insert(chatAccounts)
    .values(account)
    .onConflictDoUpdate({
      target: [chatAccounts.service, chatAccounts.account],
      set: { personId, workspaceId, label, createdAt },
    })
}

export async function findAccount(
  read: Read,
  service: ChatService,
  account: string,
): Promise<ChatAccount | undefined> {
  const [row] = await read.select().from(chatAccounts).where(isAccount({ service, account }))
  return row
}

/** The accounts of a person, in the order of their names. */
export async function listAccounts(
  read: Read,
  { workspaceId, personId }: Pick<ChatAccount, 'workspaceId' | 'personId'>,
): Promise<ChatAccount[]> {
  return await read
    .select()
    .from(chatAccounts)
    .where(and(eq(chatAccounts.workspaceId, workspaceId), eq(chatAccounts.personId, personId)))
    .orderBy(asc(chatAccounts.label), asc(chatAccounts.account))
}

/** Returns true if anybody answers in chats of this service. */
export async function hasAccounts(read: Read, service: ChatService): Promise<boolean> {
  const rows = await read
    .select({ account: chatAccounts.account })
    .from(chatAccounts)
    .where(eq(chatAccounts.service, service))
    .limit(1)
  return rows.length > 0
}

/** Forgets an account of a person; undefined if it is not theirs. */
export async function dropAccount(
  tx: Tx,
  of: Pick<ChatAccount, 'service' | 'account' | 'personId'>,
): Promise<ChatAccount | undefined> {
  const [row] = await tx
    .delete(chatAccounts)
    .where(and(isAccount(of), eq(chatAccounts.personId, of.personId)))
    .returning()
  return row
}

export async function dropAccounts(tx: Tx, personId: PersonId): Promise<void> {
  await tx.delete(chatAccounts).where(eq(chatAccounts.personId, personId))
}

/** Keeps a message whose reply is an answer, and forgets the expired. */
export async function putPrompt(tx: Tx, prompt: ChatPrompt, now: number): Promise<void> {
  await tx.delete(chatPrompts).where(lte(chatPrompts.expiresAt, now))
  await tx.insert(chatPrompts).values(prompt).onConflictDoNothing()
}

export async function findPrompt(
  read: Read,
  { ref, account, now }: { ref: string; account: string; now: number },
): Promise<ChatPrompt | undefined> {
  const [row] = await read
    .select()
    .from(chatPrompts)
    .where(
      and(
        eq(chatPrompts.ref, ref),
        eq(chatPrompts.account, account),
        gt(chatPrompts.expiresAt, now),
      ),
    )
  return row
}

/** Its reply has counted. */
export async function dropPrompt(tx: Tx, ref: string): Promise<void> {
  await tx.delete(chatPrompts).where(eq(chatPrompts.ref, ref))
}

function isAccount({ service, account }: Pick<ChatAccount, 'service' | 'account'>) {
  return and(eq(chatAccounts.service, service), eq(chatAccounts.account, account))
}
