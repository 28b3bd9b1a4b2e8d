import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Person } from '../accounts/model/person.ts'
import type { AgentSessionId } from '../sessions/model/session.ts'
import type { SessionInstruction } from './model/instruction.ts'
import { listInstructions } from './model/instruction-store.ts'
import type { Turn } from './model/turn.ts'
import { findQuickReplies, findTurn, mayHold } from './model/turn-store.ts'

type Deps = { db: Db; clock: Clock }

/** The turn of a session as its page shows it, with what people told it to do next. */
export type NextStep = {
  turn: Turn
  instructions: SessionInstruction[]
  quickReplies: string[]
  /** Whether hooks of this client may hold it. */
  holds: boolean
}

/** The texts of a person who set none. */
const USUAL_REPLIES = ['Continue', 'Run the tests', 'Commit']
const LISTED = 10

/** Undefined for a session whose turns no hook reports. */
export async function readNext(
  { db }: Deps,
  { workspaceId, id: personId }: Person,
  session: AgentSessionId,
): Promise<NextStep | undefined> {
  const turn = await findTurn(db.read, workspaceId, session)
  if (!turn) return undefined
  const [instructions, quickReplies = USUAL_REPLIES, holds] = await Promise.all([
    listInstructions(db.read, { workspaceId }, session, LISTED),
    findQuickReplies(db.read, personId),
    mayHold(db.read, workspaceId, turn.client),
  ])
  return { turn, instructions, quickReplies, holds }
}
