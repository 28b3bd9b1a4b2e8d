import type { Db } from '../../platform/db/database.ts'
import { correctUsage, listUsage, readUsage } from '../accounts/model/usage-store.ts'
import { countTokenNotifications } from '../notifications/model/purge-store.ts'
import { countTokenQuestions } from '../questions/model/purge-store.ts'

/**
 * Compares the counts of each token with what it really has, and corrects them; resolves to how
 * many were wrong. Handles one token at a time, so that it can stop anywhere.
 */
export async function recountTokens(db: Db, signal?: AbortSignal): Promise<number> {
  let wrong = 0
  for (const of of await listUsage(db.read)) {
    if (signal?.aborted) return wrong
    const was = await db.write(async (tx) => {
      const counted = (await readUsage(tx, [of.tokenId])).get(of.tokenId)
      if (!counted) return 0
      const { open, bytes } = await countTokenQuestions(tx, of)
      const keptBytes = bytes + (await countTokenNotifications(tx, of.tokenId))
      if (counted.openQuestions === open && counted.keptBytes === keptBytes) return 0
      return (await correctUsage(tx, counted, { openQuestions: open, keptBytes })) ? 1 : 0
    })
    wrong += was
  }
  return wrong
}
