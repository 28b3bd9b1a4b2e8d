import { and, asc, eq, gt, lte, or, sql } from 'drizzle-orm'
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

/** A code that exists here, was not used, and has not expired. */
export async function findAccountCode(
  read: Read,
  of: Pick<AccountCode, 'hash' | 'workspaceId'>,
  now: number,
): Promise<AccountCode | undefined> {
  const [code] = await read.select().from(accountCodes).where(isCode(of, now))
  return code
}

/** Uses a code up; undefined for one that `findAccountCode` does not find. */
export async function takeAccountCode(
  tx: Tx,
  of: Pick<AccountCode, 'hash' | 'workspaceId'>,
  now: number,
): Promise<AccountCode | undefined> {
  const [code] = await tx.delete(accountCodes).where(isCode(of, now)).returning()
  return code
}

function isCode({ hash, workspaceId }: Pick<AccountCode, 'hash' | 'workspaceId'>, now: number) {
  return and(
    eq(accountCodes.hash, hash),
    eq(accountCodes.workspaceId, workspaceId),
    gt(accountCodes.expiresAt, now),
  )
}

/** Keeps whose account it is; false if it is somebody else's. */
export async function putAccount(tx: Tx, account: ChatAccount): Promise<boolean> {
  const { label, createdAt } = account
  const rows = await tx
    .insert(chatAccounts)
    .values(account)
    .onConflictDoUpdate({
      target: [chatAccounts.service, chatAccounts.account],
      set: { label, createdAt },
      setWhere: isOf(account),
    })
    .returning()
  return rows.length > 0
}

function isOf({ personId, workspaceId }: ChatAccount) {
  return sql`${chatAccounts.personId} = ${personId} and ${chatAccounts.workspaceId} = ${workspaceId}`
}

export async function findAccount(
  read: Read,
  service: ChatService,
  account: string,
): Promise<ChatAccount | undefined> {
  const [row] = await read.select().from(chatAccounts).where(isAccount({ service, account }))
  return row
}

/** The accounts of a person, or of a whole workspace, in the order of their names. */
export async function listAccounts(
  read: Read,
  { workspaceId, personId }: { workspaceId: WorkspaceId; personId?: PersonId | undefined },
): Promise<ChatAccount[]> {
  const theirs = personId === undefined ? undefined : eq(chatAccounts.personId, personId)
  return await read
    .select()
    .from(chatAccounts)
    .where(and(eq(chatAccounts.workspaceId, workspaceId), theirs))
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

/** Forgets an account of a workspace, or of one person in it; undefined if there is none. */
export async function dropAccount(
  tx: Tx,
  of: Pick<ChatAccount, 'service' | 'account' | 'workspaceId'>,
  personId?: PersonId,
): Promise<ChatAccount | undefined> {
  const theirs = personId === undefined ? undefined : eq(chatAccounts.personId, personId)
  const here = eq(chatAccounts.workspaceId, of.workspaceId)
  const [row] = await tx
    .delete(chatAccounts)
    .where(and(isAccount(of), here, theirs))
    .returning()
  return row
}

/** Forgets the accounts of a person in a workspace, and links that only they may use. */
export async function dropAccounts(
  tx: Tx,
  { workspaceId, personId }: Pick<ChatAccount, 'workspaceId' | 'personId'>,
): Promise<void> {
  await tx
    .delete(chatAccounts)
    .where(and(eq(chatAccounts.personId, personId), eq(chatAccounts.workspaceId, workspaceId)))
  await dropCodesFor(tx, { workspaceId, personId })
}

export async function dropCodesFor(
  tx: Tx,
  { workspaceId, personId }: Pick<ChatAccount, 'workspaceId' | 'personId'>,
): Promise<void> {
  await tx
    .delete(accountCodes)
    .where(and(eq(accountCodes.personId, personId), eq(accountCodes.workspaceId, workspaceId)))
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
