import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { Failure, wrongFields } from '../../platform/failure.ts'
import { cleanLine, codePoints } from '../../platform/text.ts'
import { may, type Person } from '../accounts/model/person.ts'
import { auditStamp } from '../audit/model/audit.ts'
import { recordChange } from '../audit/model/store.ts'
import type { AgentSessionId } from '../sessions/model/session.ts'
import { findTurn, setMayHold, setQuickReplies } from './model/turn-store.ts'

const REPLIES_MAX = 6
const REPLY_MAX = 100

type Changes = { replies: string[]; holds: boolean }

/**
 * Sets a person's ready texts, and, if they may change the policy, whether hooks hold the client of
 * this session. Throws `invalid_input`, `not_found`.
 */
export async function changeNext(
  { db, clock }: { db: Db; clock: Clock },
  person: Person,
  id: string,
  { replies, holds }: Changes,
): Promise<void> {
  const texts = [...new Set(replies.map(cleanLine))].filter((text) => text !== '')
  if (texts.length > REPLIES_MAX || texts.some((text) => codePoints(text) > REPLY_MAX)) {
    const must = `must have at most ${REPLIES_MAX} lines of ${REPLY_MAX} characters`
    throw wrongFields([{ field: 'replies', must }])
  }
  const stamp = auditStamp(clock.now())
  const { workspaceId } = person
  await db.write(async (tx) => {
    const turn = await findTurn(tx, workspaceId, id as AgentSessionId)
    if (!turn) throw new Failure('not_found', 'There is no such session here.')
    await setQuickReplies(tx, person.id, texts)
    if (may(person, 'policy') && (await setMayHold(tx, turn, holds))) {
      const detail = `${turn.client} waits for instructions: ${holds ? 'on' : 'off'}`
      await recordChange(tx, stamp, {
        workspaceId,
        kind: 'policy.changed',
        personId: person.id,
        detail,
      })
    }
    tx.emit('session', turn.id)
  })
}
