import { type Clock, isoTime } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { dropSetting, putSetting, readSetting } from '../../platform/db/settings-store.ts'
import { markCutOff } from '../questions/model/cut-off-store.ts'

const SERVING = 'serving_since'

/**
 * Marks that a server works on this database, until it stops in order. If one was killed, the calls
 * that it held broke off without a reply: the next one records that nobody waits for their questions,
 * so that a caller that asks again joins its question, as after a hang-up. Only for a database of one
 * server: several cannot tell which of them held a call.
 */
export function noteCutOff(
  { db, clock }: { db: Db; clock: Clock },
  report: (error: unknown) => void,
): AsyncDisposable {
  const now = clock.now()
  const write = db.write(async (tx) => {
    if ((await readSetting(tx, SERVING)) !== undefined) await markCutOff(tx, now)
    await putSetting(tx, SERVING, isoTime(now), now)
  })
  const noting = write.catch(report)
  return {
    async [Symbol.asyncDispose]() {
      await noting
      await db.write((tx) => dropSetting(tx, SERVING)).catch(report)
    },
  }
}
