import type { Tx } from '../../platform/db/database.ts'
import type { SessionInstruction } from './model/instruction.ts'
import { listHandedOver, moveInstruction } from './model/instruction-store.ts'
import { isReady, type Turn } from './model/turn.ts'
import { countInRow, findTurn, uncountInRow } from './model/turn-store.ts'

/**
 * Hands a waiting instruction to the session's hook. False, and nothing changed, if somebody else has
 * it now, if the session works again, and if too many followed each other.
 */
export async function handOver(
  tx: Tx,
  { id, workspaceId }: Pick<Turn, 'id' | 'workspaceId'>,
  instruction: SessionInstruction,
  at: number,
): Promise<boolean> {
  await tx.lock(`instructions ${id}`)
  const turn = await findTurn(tx, workspaceId, id)
  if (!turn || !isReady(turn)) return false
  if (!(await moveInstruction(tx, instruction, 'hand_over', at))) return false
  // Counted last: only what was handed over counts.
  if (!(await countInRow(tx, id))) {
    await moveInstruction(tx, instruction, 'give_back', at)
    return false
  }
  tx.emit('session', id)
  return true
}

/** The client refused it, so it never had it: it waits again, and does not count. */
export async function takeBack(
  tx: Tx,
  instruction: Pick<SessionInstruction, 'id' | 'session'>,
  at: number,
): Promise<boolean> {
  if (!(await moveInstruction(tx, instruction, 'give_back', at))) return false
  await uncountInRow(tx, instruction.session)
  return true
}

/**
 * Everything that this session was handed and that no event showed waits again. It stays counted: if
 * the events of a client never show it, the limit in a row ends the repetition.
 */
export async function giveBackAll(tx: Tx, { id }: Pick<Turn, 'id'>, at: number): Promise<void> {
  for (const instruction of await listHandedOver(tx, [id]))
    await moveInstruction(tx, instruction, 'give_back', at)
}
