import type { Clock } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import { Failure, wrongFields } from '../../platform/failure.ts'
import { newId } from '../../platform/ids.ts'
import { sha256 } from '../../platform/signing/sha256.ts'
import { cleanText, codePoints, isBlank } from '../../platform/text.ts'
import type { Person } from '../accounts/model/person.ts'
import { type AuditStamp, auditStamp, type RecordedKind } from '../audit/model/audit.ts'
import { recordChange } from '../audit/model/store.ts'
import type { AgentSessionId } from '../sessions/model/session.ts'
import { INSTRUCTION_MAX } from '../wire/turn-fields.ts'
import { takeBack } from './hand-over.ts'
import {
  type InstructionId,
  type InstructionVia,
  looksLikeCommand,
  type Move,
  type SessionInstruction,
} from './model/instruction.ts'
import {
  findInstruction,
  insertInstruction,
  listWaiting,
  moveInstruction,
} from './model/instruction-store.ts'
import type { Turn } from './model/turn.ts'
import { findTurn } from './model/turn-store.ts'

type Deps = { db: Db; clock: Clock }

/** What a person wrote for a session. `confirmed`: they saw that it begins like a command. */
export type InstructionDraft = {
  text: string
  confirmed?: boolean | undefined
  via?: InstructionVia | undefined
}

const TO_CONFIRM =
  'It begins like a command of a client. It would be delivered as text and not run; send it again to confirm.'

/**
 * Keeps what a signed-in person tells a session to do next, and says so in the trail. One waits at
 * a time. Throws `invalid_input`, `not_found`, and `conflict` while another one waits.
 */
export async function instructSession(
  { db, clock }: Deps,
  person: Person,
  id: string,
  draft: InstructionDraft,
): Promise<SessionInstruction> {
  const text = readText(draft)
  const at = clock.now()
  const stamp = auditStamp(at)
  const { workspaceId } = person
  const session = id as AgentSessionId
  const instruction: SessionInstruction = {
    id: newId('ins', at),
    workspaceId,
    session,
    personId: person.id,
    personName: person.name,
    text,
    via: draft.via,
    state: 'waiting',
    createdAt: at,
    handedOverAt: undefined,
    takenAt: undefined,
    endedAt: undefined,
  }
  await db.write(async (tx) => {
    await tx.lock(`instructions ${session}`)
    const turn = await findTurn(tx, workspaceId, session)
    if (!turn)
      throw new Failure('not_found', 'There is no such session here, or no hook reports it.')
    const [first] = await listWaiting(tx, [session])
    if (first) {
      throw new Failure(
        'conflict',
        `${first.personName} told it something that still waits: “${first.text}”. Withdraw that first, or wait until it is delivered.`,
      )
    }
    await insertInstruction(tx, instruction)
    await record(tx, stamp, 'instruction.sent', { turn, instruction, person })
    tx.emit('instruction', session)
    tx.emit('session', session)
  })
  return instruction
}

// Characters that no page shows and models read.
const TAGS = /[\u{E0000}-\u{E007F}]/gu

function readText({ text: raw, confirmed = false }: InstructionDraft): string {
  const text = cleanText(raw).replace(TAGS, '').trim()
  if (isBlank(text)) throw wrongFields([{ field: 'text', must: 'must not be empty' }])
  if (codePoints(text) > INSTRUCTION_MAX)
    throw wrongFields([{ field: 'text', must: `must have at most ${INSTRUCTION_MAX} characters` }])
  if (looksLikeCommand(text) && !confirmed)
    throw wrongFields([{ field: 'text', must: `must be confirmed. ${TO_CONFIRM}` }])
  return text
}

/** Takes back an instruction that nobody has yet. Throws `not_found`, and `too_late`. */
export async function withdrawInstruction(
  { db, clock }: Deps,
  person: Person,
  id: string,
): Promise<SessionInstruction> {
  const at = clock.now()
  const stamp = auditStamp(at)
  return await db.write(async (tx) => {
    const instruction = await findInstruction(tx, person.workspaceId, id as InstructionId)
    if (!instruction) throw new Failure('not_found', 'There is no such instruction here.')
    if (!(await moveInstruction(tx, instruction, 'withdraw', at)))
      throw new Failure('too_late', 'It is with the agent already, so it cannot be taken back.')
    const turn = await findTurn(tx, person.workspaceId, instruction.session)
    await record(tx, stamp, 'instruction.withdrawn', { turn, instruction, person })
    tx.emit('session', instruction.session)
    return instruction
  })
}

/** Records what became of an instruction; a report of another session's changes nothing. */
export async function settleInstruction(
  tx: Tx,
  turn: Turn,
  { id, move, at }: { id: string; move: Extract<Move, 'take' | 'give_back'>; at: number },
): Promise<void> {
  const instruction = await findInstruction(tx, turn.workspaceId, id as InstructionId)
  if (instruction?.session !== turn.id) return
  const isMoved =
    move === 'take'
      ? await moveInstruction(tx, instruction, move, at)
      : await takeBack(tx, instruction, at)
  if (!isMoved) return
  if (move === 'take')
    await record(tx, auditStamp(at), 'instruction.taken', { turn, instruction, person: undefined })
  tx.emit('instruction', turn.id)
}

type About = {
  turn: Turn | undefined
  instruction: SessionInstruction
  person: Pick<Person, 'id'> | undefined
}

async function record(
  tx: Tx,
  stamp: AuditStamp,
  kind: RecordedKind,
  { turn, instruction, person }: About,
): Promise<void> {
  const { workspaceId, session, text, via } = instruction
  await recordChange(tx, stamp, {
    workspaceId,
    kind,
    personId: person?.id ?? null,
    tokenId: kind === 'instruction.taken' && turn ? turn.tokenId : null,
    subjectId: session,
    subjectName: turn?.sessionId ?? null,
    detail: `${instruction.id}, SHA-256 ${sha256(text)}${via ? `, ${via}` : ''}`,
  })
}
