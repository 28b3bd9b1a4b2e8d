import type { Clock } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import { Failure } from '../../platform/failure.ts'
import { cleanLine } from '../../platform/text.ts'
import type { TokenId } from '../accounts/model/ids.ts'
import { must, type Person } from '../accounts/model/person.ts'
import { findToken } from '../accounts/model/token-store.ts'
import { readUsage } from '../accounts/model/usage-store.ts'
import { type AuditStamp, auditStamp } from '../audit/model/audit.ts'
import { recordChange } from '../audit/model/store.ts'
import { listTokenNotifications } from '../notifications/model/purge-store.ts'
import { listTokenQuestions } from '../questions/model/purge-store.ts'
import type { NotificationId, QuestionId } from '../wire/ids.ts'
import { forgetNotifications, forgetQuestions } from './forget.ts'

type Deps = { db: Db; clock: Clock }

// Small enough that a question asked meanwhile waits for a few milliseconds at most.
const BATCH = 200

/**
 * Deletes the finished questions and notifications of a token; what is open or still being sent
 * stays. Works in complete batches, so that it can stop anywhere; the audit trail records it with
 * the first one. Resolves to how many were deleted. Throws `not_found` for a token that is not in
 * this workspace, `forbidden` for another person's token.
 */
export async function emptyToken(deps: Deps, of: { id: string; person: Person }): Promise<number> {
  const tokenId = of.id as TokenId
  const stamp = auditStamp(deps.clock.now())
  await deps.db.write((tx) => begin(tx, stamp, tokenId, of.person))
  const questions = await inBatches(deps, async (tx, after: QuestionId | undefined) => {
    const some = await listTokenQuestions(tx, tokenId, { after, limit: BATCH })
    const deleted = await forgetQuestions(tx, some, deps.clock.now())
    return { gone: deleted.length, some }
  })
  // Notifications come second: each stays as long as the question in it.
  const notifications = await inBatches(deps, async (tx, after: NotificationId | undefined) => {
    const some = await listTokenNotifications(tx, tokenId, { after, limit: BATCH })
    const deleted = await forgetNotifications(tx, some, deps.clock.now())
    return { gone: deleted.length, some: some.map(({ id }) => id) }
  })
  return questions + notifications
}

async function begin(tx: Tx, stamp: AuditStamp, id: TokenId, person: Person): Promise<void> {
  const token = await findToken(tx, id)
  if (!token || token.workspaceId !== person.workspaceId) {
    throw new Failure('not_found', `There is no token ${cleanLine(id)}; nothing was removed.`)
  }
  must(person, 'tokens', token.createdBy)
  const bytes = (await readUsage(tx, [id])).get(id)?.keptBytes ?? 0
  await recordChange(tx, stamp, {
    workspaceId: token.workspaceId,
    kind: 'token.emptied',
    personId: person.id,
    subjectId: id,
    subjectName: token.name,
    detail: `kept ${(bytes / 1_000_000).toFixed(1)} MB before`,
  })
}

type Batch<I> = { gone: number; some: I[] }

async function inBatches<I>(
  { db }: Deps,
  forget: (tx: Tx, after: I | undefined) => Promise<Batch<I>>,
): Promise<number> {
  let count = 0
  let after: I | undefined
  do {
    const batch = await db.write((tx) => forget(tx, after))
    count += batch.gone
    after = batch.some.length < BATCH ? undefined : batch.some.at(-1)
  } while (after !== undefined)
  return count
}
