import { and, eq, gt, inArray, isNull, lt } from 'drizzle-orm'
import type { Read, Tx } from '../../../platform/db/database.ts'
import type { TokenId } from '../../accounts/model/ids.ts'
import { oauthCodes, oauthTokens } from './table.ts'

export type Code = typeof oauthCodes.$inferSelect
export type OauthToken = typeof oauthTokens.$inferSelect

export async function addCode(tx: Tx, code: Code): Promise<void> {
  await tx.insert(oauthCodes).values(code)
}

export async function findCode(read: Read, hash: string): Promise<Code | undefined> {
  const [row] = await read.select().from(oauthCodes).where(eq(oauthCodes.hash, hash))
  return row
}

/** Uses the code up; false if it was used already. */
export async function useCode(tx: Tx, hash: string, now: number): Promise<boolean> {
  const used = await tx
    .update(oauthCodes)
    .set({ usedAt: now })
    .where(and(eq(oauthCodes.hash, hash), isNull(oauthCodes.usedAt)))
    .returning()
  return used.length > 0
}

export async function addTokens(tx: Tx, tokens: OauthToken[]): Promise<void> {
  await tx.insert(oauthTokens).values(tokens)
}

export async function findOauthToken(read: Read, hash: string): Promise<OauthToken | undefined> {
  const [row] = await read.select().from(oauthTokens).where(eq(oauthTokens.hash, hash))
  return row
}

/** Uses a refresh token up; false if it was used or revoked already. */
export async function useRefreshToken(tx: Tx, hash: string, now: number): Promise<boolean> {
  const used = await tx
    .update(oauthTokens)
    .set({ usedAt: now })
    .where(
      and(eq(oauthTokens.hash, hash), isNull(oauthTokens.usedAt), isNull(oauthTokens.revokedAt)),
    )
    .returning()
  return used.length > 0
}

/** Until the end of the transaction nobody else makes or ends tokens of this family. */
export async function lockFamily(tx: Tx, family: string): Promise<void> {
  await tx.lock(`tokens of ${family}`)
}

/** Ends every token that followed from one code. Lock the family first. */
export async function revokeFamily(tx: Tx, family: string, now: number): Promise<void> {
  const ended = await tx
    .update(oauthTokens)
    .set({ revokedAt: now })
    .where(and(eq(oauthTokens.family, family), isNull(oauthTokens.revokedAt)))
    .returning()
  for (const { tokenId } of ended.slice(0, 1)) tx.emit('token', tokenId)
}

/** Returns true if a connection has a token or an unused code at `now`, of any family. */
export async function anyLive(read: Read, tokenId: TokenId, now: number): Promise<boolean> {
  const [token] = await read
    .select({ hash: oauthTokens.hash })
    .from(oauthTokens)
    .where(
      and(
        eq(oauthTokens.tokenId, tokenId),
        isNull(oauthTokens.revokedAt),
        isNull(oauthTokens.usedAt),
        gt(oauthTokens.expiresAt, now),
      ),
    )
    .limit(1)
  if (token) return true
  const [code] = await read
    .select({ hash: oauthCodes.hash })
    .from(oauthCodes)
    .where(
      and(
        eq(oauthCodes.tokenId, tokenId),
        isNull(oauthCodes.usedAt),
        gt(oauthCodes.expiresAt, now),
      ),
    )
    .limit(1)
  return code !== undefined
}

/** Deletes codes and tokens that expired before `now`, at most `limit` of each. Returns how many. */
export async function purgeGrantSecrets(tx: Tx, now: number, limit: number): Promise<number> {
  const codes = await tx
    .select({ hash: oauthCodes.hash })
    .from(oauthCodes)
    .where(lt(oauthCodes.expiresAt, now))
    .limit(limit)
  const tokens = await tx
    .select({ hash: oauthTokens.hash })
    .from(oauthTokens)
    .where(lt(oauthTokens.expiresAt, now))
    .limit(limit)
  const hashesOf = (rows: { hash: string }[]) => rows.map(({ hash }) => hash)
  if (codes.length > 0) {
    await tx.delete(oauthCodes).where(inArray(oauthCodes.hash, hashesOf(codes)))
  }
  if (tokens.length > 0) {
    await tx.delete(oauthTokens).where(inArray(oauthTokens.hash, hashesOf(tokens)))
  }
  return codes.length + tokens.length
}
