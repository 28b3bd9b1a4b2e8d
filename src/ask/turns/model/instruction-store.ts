import { and, asc, desc, eq, inArray, lt } from 'drizzle-orm'
import { nullsToUndefined } from '../../../platform/db/columns.ts'
import type { Read, Tx } from '../../../platform/db/database.ts'
import type { WorkspaceId } from '../../accounts/model/ids.ts'
import type { AgentSessionId } from '../../sessions/model/session.ts'
import { type InstructionId, MOVES, type Move, type SessionInstruction } from './instruction.ts'
import { instructions } from './table.ts'

export async function insertInstruction(tx: Tx, one: SessionInstruction): Promise<void> {
  await tx.insert(instructions).values(one)
}

/** The latest instructions of a session, the newest first. */
export async function listInstructions(
  read: Read,
  { workspaceId }: { workspaceId: WorkspaceId },
  session: AgentSessionId,
  limit: number,
): Promise<SessionInstruction[]> {
  const rows = await read
    .select()
    .from(instructions)
    .where(and(eq(instructions.session, session), eq(instructions.workspaceId, workspaceId)))
    .orderBy(desc(instructions.id))
    .limit(limit)
  return rows.map(nullsToUndefined)
}

/** What waits for these sessions, the oldest first. */
export async function listWaiting(
  read: Read,
  sessions: readonly AgentSessionId[],
): Promise<SessionInstruction[]> {
  if (sessions.length === 0) return []
  const rows = await read
    .select()
    .from(instructions)
    .where(and(inArray(instructions.session, [...sessions]), eq(instructions.state, 'waiting')))
    .orderBy(asc(instructions.id))
  return rows.map(nullsToUndefined)
}

/**
 * What these sessions were handed, before `before` if given, and did not begin with; in an order, so
 * that two who give it back at once do not wait for each other.
 */
export async function listHandedOver(
  read: Read,
  sessions: readonly AgentSessionId[],
  before?: number,
): Promise<SessionInstruction[]> {
  if (sessions.length === 0) return []
  const rows = await read
    .select()
    .from(instructions)
    .where(
      and(
        inArray(instructions.session, [...sessions]),
        eq(instructions.state, 'handed_over'),
        before === undefined ? undefined : lt(instructions.handedOverAt, before),
      ),
    )
    .orderBy(asc(instructions.id))
  return rows.map(nullsToUndefined)
}

/** An instruction of a workspace. */
export async function findInstruction(
  read: Read,
  workspaceId: WorkspaceId,
  id: InstructionId,
): Promise<SessionInstruction | undefined> {
  const [row] = await read
    .select()
    .from(instructions)
    .where(and(eq(instructions.id, id), eq(instructions.workspaceId, workspaceId)))
  return row && nullsToUndefined(row)
}

const TIMES = {
  hand_over: 'handedOverAt',
  take: 'takenAt',
  withdraw: 'endedAt',
} as const

/** Moves an instruction; false if it is not in a state for that. One update decides every race. */
export async function moveInstruction(
  tx: Tx,
  { id, session }: { id: InstructionId; session: AgentSessionId },
  move: Move,
  now: number,
): Promise<boolean> {
  const rows = await tx
    .update(instructions)
    .set(changeOf(move, now))
    .where(
      and(
        eq(instructions.id, id),
        eq(instructions.session, session),
        inArray(instructions.state, [...MOVES[move].from]),
      ),
    )
    .returning({ id: instructions.id })
  return rows.length > 0
}

function changeOf(move: Move, now: number) {
  const times = move === 'give_back' ? { handedOverAt: null } : { [TIMES[move]]: now }
  return { state: MOVES[move].to, ...times }
}

/** Deletes instructions that were sent before, at most `limit`; resolves to how many. */
export async function purgeInstructions(tx: Tx, before: number, limit: number): Promise<number> {
  const old = tx
    .select({ id: instructions.id })
    .from(instructions)
    .where(lt(instructions.createdAt, before))
    .limit(limit)
  const rows = await tx
    .delete(instructions)
    .where(inArray(instructions.id, old))
    .returning({ id: instructions.id })
  return rows.length
}
