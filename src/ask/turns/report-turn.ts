import type { Clock } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import { wrongFields } from '../../platform/failure.ts'
import { newId } from '../../platform/ids.ts'
import { cleanLine } from '../../platform/text.ts'
import { chargeToken, type Limited, seenCharge, USUAL } from '../accounts/charge-token.ts'
import type { CallContext } from '../accounts/model/agent.ts'
import type { Policies } from '../policy/model/store.ts'
import { isTest } from '../questions/model/read-ask.ts'
import { OFFLINE_MS } from '../sessions/model/session.ts'
import { type Sighting, sightSession, terminalActiveAt } from '../sessions/model/store.ts'
import type { TurnReply, TurnReport } from '../wire/turn-fields.ts'
import { giveBackAll } from './hand-over.ts'
import { settleInstruction } from './instruct.ts'
import { listWaiting } from './model/instruction-store.ts'
import { NOW, type Telling, type ToldNow, tellOf } from './model/telling.ts'
import { HOLD_MAX_MS, IN_ROW_MAX, isLate, type Turn, type TurnState } from './model/turn.ts'
import { findTurn, mayHold, noteTold, setHold, sightTurn } from './model/turn-store.ts'
import { type TellPeople, turnMessage } from './turn-message.ts'

export type TurnDeps = {
  db: Db
  clock: Clock
  policies: Policies
  limited?: Limited
  /** The address of this server for people. */
  baseUrl: string
  tell: TellPeople
}

type Report = TurnReport & { client: string }

/**
 * Records what a hook reports of the turn of its session, and tells people of its end where nobody
 * is at the terminal. Test traffic, and a session that another token reports, change nothing.
 * Throws `invalid_input`, `rate_limited`.
 */
export async function reportTurn(
  deps: TurnDeps,
  report: Report,
  call: CallContext,
): Promise<TurnReply> {
  const { caller } = call
  if (isTest(undefined, caller)) return {}
  const state = stateOf(report)
  const sighting = sightingOf(report, call, deps.clock.now())
  const { policy } = await deps.policies.of(caller.workspaceId)
  const outcome = await deps.db.write(async (tx) => {
    const session = await see(tx, deps, sighting, call)
    if (session === undefined) return undefined
    const before = await findTurn(tx, caller.workspaceId, session)
    if (!(await sight(tx, { report, sighting, call, state, before }, session))) return undefined
    const turn = await findTurn(tx, caller.workspaceId, session)
    if (!turn) return undefined
    tx.emit('session', session)
    if (report.event === 'ended' && isNewTo(before, report, turn.state))
      await giveBackAll(tx, turn, sighting.at)
    if (report.event !== 'ended') return await settle(tx, report, turn, sighting.at)
    return await end(tx, { report, turn, turnMs: policy.turnMs, at: sighting.at })
  })
  if (!outcome) return {}
  const { toTell, turn, reply } = outcome
  if (toTell) await deps.tell(turnMessage(report, turn, { ...toTell, baseUrl: deps.baseUrl }), call)
  return reply
}

/** The state that a report brings; undefined if it brings none. Throws `invalid_input`. */
function stateOf({ event, outcome }: Report): TurnState | undefined {
  if (event === 'began' || event === 'taken') return 'working'
  if (event === 'over') return 'over'
  if (event !== 'ended') return undefined
  if (outcome) return outcome
  throw wrongFields([{ field: 'outcome', must: 'is required when event is ended' }])
}

function sightingOf(report: Report, { caller }: CallContext, at: number): Sighting {
  const line = (text: string | undefined) => (text && cleanLine(text)) || undefined
  // Cleaned as in a question, so that both name the same session.
  const sessionId = line(report.sessionId)
  const machineId = line(report.machineId)
  if (!sessionId) throw wrongFields([{ field: 'sessionId', must: 'must not be empty' }])
  if (!machineId) throw wrongFields([{ field: 'machineId', must: 'must not be empty' }])
  return {
    id: newId('ses', at),
    workspaceId: caller.workspaceId,
    tokenId: caller.tokenId,
    machineId,
    sessionId,
    client: report.client,
    agentName: line(report.agentName),
    repoKey: line(report.repoKey),
    branch: line(report.branch),
    machineName: line(report.machineName),
    at,
  }
}

async function see(
  tx: Tx,
  { limited = USUAL }: TurnDeps,
  sighting: Sighting,
  { caller: { tokenId, workspaceId } }: CallContext,
) {
  const session = await sightSession(tx, sighting)
  if (session === sighting.id)
    await chargeToken(tx, limited, seenCharge({ tokenId, workspaceId, at: sighting.at }))
  return session
}

type Sight = {
  report: Report
  sighting: Sighting
  call: CallContext
  state: TurnState | undefined
  before: Turn | undefined
}

async function sight(
  tx: Tx,
  { report, sighting, call, state, before }: Sight,
  id: Turn['id'],
): Promise<boolean> {
  const { workspaceId, machineId, sessionId, at } = sighting
  const { lastWords, durationMs, filesChanged, typed = false, door, client, event } = report
  const next = nextState(before, state, report.turn)
  if (next === undefined) return false
  return await sightTurn(
    tx,
    {
      id,
      workspaceId,
      machineId,
      sessionId,
      tokenId: call.caller.tokenId,
      client,
      turn: event === 'over' ? undefined : report.turn,
      state: next,
      seenAt: at,
      lastWords: lastWords && cleanLine(lastWords),
      durationMs,
      filesChanged,
      door: event === 'over' ? 'none' : door,
      isNew: isNewTo(before, report, next),
      typed: typed && (event === 'began' || event === 'ended'),
    },
    at - OFFLINE_MS,
  )
}

/** The state after a report; undefined if nothing is known of the turn. */
function nextState(
  before: Turn | undefined,
  state: TurnState | undefined,
  turn: string | undefined,
): TurnState | undefined {
  if (!before || state === undefined) return state ?? before?.state
  // Reports of a hook and of the process beside it may overtake each other.
  if (state === 'working' && isLate(before, turn)) return before.state
  // A session that failed and ended has failed.
  const failed = before.state === 'failed' || before.state === 'rate_limited'
  return state === 'over' && failed ? before.state : state
}

/** Whether the report is the first of a state, or of a turn. */
function isNewTo(before: Turn | undefined, { event, turn }: Report, state: TurnState): boolean {
  const isOther = event !== 'over' && turn !== undefined && turn !== before?.turn
  return isOther || before?.state !== state
}

type Outcome = { turn: Turn; toTell: ToldNow | undefined; reply: TurnReply }

async function settle(tx: Tx, report: Report, turn: Turn, at: number): Promise<Outcome> {
  const { event, instructionId, why = 'ended' } = report
  if (event === 'let_go') await setHold(tx, turn.id, { letGo: why })
  // A hook that lets go hands nothing over, whatever was on its way to it.
  if (event === 'let_go' || event === 'over') await giveBackAll(tx, turn, at)
  const move = event === 'taken' ? 'take' : event === 'given_back' ? 'give_back' : undefined
  if (move && instructionId) await settleInstruction(tx, turn, { id: instructionId, move, at })
  return { turn, toTell: undefined, reply: {} }
}

type End = { report: Report; turn: Turn; turnMs: number; at: number }

async function end(tx: Tx, { report, turn, turnMs, at }: End): Promise<Outcome> {
  const { workspaceId, machineId, client, inRow, toldAt } = turn
  const facts = {
    outcome: report.outcome ?? 'finished',
    durationMs: turn.durationMs,
    idleMs: report.idleMs,
    attended: report.attended,
    terminalActiveAt: await terminalActiveAt(tx, workspaceId, machineId),
    fromPhone: inRow > 0,
    endedMs: at - turn.since,
  }
  const telling: Telling = toldAt === undefined ? tellOf(facts, turnMs, at) : NOW
  const isAllowed = !report.blocks || report.agreed || (await mayHold(tx, workspaceId, client))
  const isOpen = inRow < IN_ROW_MAX
  const isWaiting = isOpen && (await listWaiting(tx, [turn.id])).length > 0
  const reply = isWaiting ? { waiting: true } : {}
  if (telling.is === 'never') return { turn, toTell: undefined, reply }
  const { waitsMs: couldMs = 0 } = report
  const waitsMs = isAllowed && isOpen ? Math.min(couldMs, HOLD_MAX_MS) : 0
  // The process beside the hook reports the same end, and knows more of it.
  if (couldMs > 0 && waitsMs === 0) return { turn, toTell: undefined, reply }
  const holding = waitsMs > 0 ? { ...reply, holdMs: waitsMs } : reply
  if (telling.is === 'later')
    return { turn, toTell: undefined, reply: { ...holding, lookAgainMs: telling.ms } }
  if (waitsMs > 0) await setHold(tx, turn.id, { heldUntil: at + waitsMs })
  const toTell = (await noteTold(tx, turn, at)) ? telling : undefined
  return { turn, toTell, reply: holding }
}
