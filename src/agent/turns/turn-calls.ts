import { rmSync } from 'node:fs'
import { hostname } from 'node:os'
import type {
  CollectResult,
  Instruction,
  TurnDoor,
  TurnReply,
  TurnReport,
} from '../../ask/wire/turn-fields.ts'
import { omitUndefined } from '../../platform/json.ts'
import { cutText } from '../../platform/text.ts'
import type { Service } from '../session/context.ts'
import { type CallLimits, callApi } from '../session/server.ts'
import { handedPath, readHanded, type TurnRecord } from '../state/turn-record.ts'
import { idleOf } from '../terminal.ts'

const MACHINE_NAME_MAX = 64

type More = Partial<
  Pick<TurnReport, 'waitsMs' | 'blocks' | 'agreed' | 'why' | 'instructionId' | 'filesChanged'>
> & { door?: TurnDoor | undefined }

/** Tells the server of a turn. Undefined if it did not take it. Never throws. */
export async function callTurn(
  service: Service,
  record: TurnRecord,
  event: TurnReport['event'],
  limits: CallLimits,
  more: More = {},
): Promise<TurnReply | undefined> {
  const { where, client, sessionId, beganAt, ended, attended, typed, process } = record
  const idle = idleOf(process?.terminal, Date.now())
  const ofEnd = ended && {
    outcome: ended.outcome,
    lastWords: ended.lastWords,
    durationMs: beganAt === undefined ? undefined : Math.max(0, ended.at - beganAt),
  }
  const { cwd: _, ...place } = where
  const body = omitUndefined({
    event,
    sessionId,
    machineId: service.machineId,
    machineName: cutText(hostname(), MACHINE_NAME_MAX) || undefined,
    ...place,
    turn: beganAt?.toString(36),
    ...(event === 'ended' ? ofEnd : {}),
    idleMs: idle.is === 'known' ? Math.round(idle.ms) : undefined,
    attended,
    typed: event === 'began' || event === 'ended' ? typed : undefined,
    ...more,
  })
  const reply = await callApi(service, `/turns/${client}`, body, limits)
  return reply.ok ? (reply.value as TurnReply) : undefined
}

/** Reports that the agent began with what it was told, if an event showed it. Never throws. */
export async function reportTaken(
  service: Service,
  path: string,
  record: TurnRecord,
  limits: CallLimits,
): Promise<void> {
  const handed = readHanded(path)
  if (!handed?.taken) return
  const reply = await callTurn(service, record, 'taken', limits, { instructionId: handed.id })
  if (reply) rmSync(handedPath(path), { force: true })
}

/** The result of asking for an instruction: none yet, or the server did not answer. */
export type Collected = { is: 'one'; instruction: Instruction } | { is: 'none' } | { is: 'away' }

/** Waits up to `heldMs` for an instruction to one of these sessions. Never throws. */
export async function collect(
  service: Service,
  sessionIds: string[],
  heldMs: number,
  limits: CallLimits,
): Promise<Collected> {
  const body = { machineId: service.machineId, sessionIds, timeoutMs: Math.round(heldMs) }
  const reply = await callApi(service, '/instructions/collect', body, limits)
  if (!reply.ok) return { is: 'away' }
  const { instruction } = reply.value as CollectResult
  return instruction ? { is: 'one', instruction } : { is: 'none' }
}
