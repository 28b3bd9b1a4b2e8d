import { setTimeout as pause } from 'node:timers/promises'
import type { Instruction } from '../../ask/wire/turn-fields.ts'
import { SILENT, type Verdict } from '../calls/tool-call.ts'
import type { HookContext, Service, SessionPlace } from '../session/context.ts'
import {
  keepHanded,
  keepRecord,
  readRecord,
  recordPath,
  type TurnRecord,
} from '../state/turn-record.ts'
import { readAtOf } from '../terminal.ts'
import { callTurn, collect, reportTaken } from './turn-calls.ts'
import { wakeWatcher } from './watcher-lock.ts'

// Often enough to let go within a second of the first key.
const LOOK_MS = 500
const REPORT_MS = 2_000
const HELD_MS = 25_000
const SLACK_MS = 5_000
const RETRY_MS = 1_000
// Before the client itself ends the hook.
const MARGIN_MS = 5_000

/** `replaced`: another hook waits for the same session now. */
type Why = 'typed' | 'expired' | 'ended' | 'replaced'

/**
 * Reports the end of a turn, and hands over what comes next: what waits already, and what a person
 * says while it waits. The server says whether and for how long it waits. Lets go silently at the first
 * key in the terminal, when the client or the hook ends, and when the time is over.
 */
export async function holdTurn(
  context: HookContext,
  place: SessionPlace,
  record: TurnRecord,
): Promise<Verdict> {
  const { service, client } = context
  const waits = client.turns?.waits?.(context.call)
  if (!service || !waits) return SILENT
  const startedAt = performance.now()
  using terminal = watchTerminal(record, place)
  const agreed = context.waitsNext ? { agreed: true } : {}
  const about = { waitsMs: waits.ms, blocks: waits.blocks, door: 'hook' as const, ...agreed }
  const report = () => callTurn(service, record, 'ended', { ms: REPORT_MS }, about)
  await reportTaken(service, recordPath(place), record, { ms: REPORT_MS })
  const left = () => waits.ms - (performance.now() - startedAt) - MARGIN_MS
  let reply = await report()
  while (reply?.holdMs !== undefined && reply.lookAgainMs !== undefined) {
    if (reply.waiting || left() <= 0) break
    await nap(Math.min(reply.lookAgainMs, left()), terminal.signal)
    if (terminal.signal.aborted) break
    // A server that restarts just then is asked again.
    reply = (await report()) ?? { ...reply, lookAgainMs: RETRY_MS }
  }
  const isHeld = reply?.lookAgainMs === undefined
  const holdMs = Math.min((isHeld && reply?.holdMs) || 0, left())
  if ((holdMs <= 0 && !reply?.waiting) || terminal.signal.aborted) {
    letGo(context, place, record)
    return SILENT
  }
  const instruction = await waitFor(service, record, holdMs, terminal.signal)
  if (instruction) return handOver(place, record, instruction)
  const why = terminal.why() ?? 'expired'
  // The other hook has reported this session since, and may have been given an instruction.
  if (holdMs > 0 && why !== 'replaced')
    await callTurn(service, record, 'let_go', { ms: REPORT_MS }, { why, door: 'none' })
  letGo(context, place, record)
  return SILENT
}

/** The record is the watcher's again. */
function letGo(context: HookContext, place: SessionPlace, record: TurnRecord): void {
  const now = readRecord(recordPath(place))
  if (now?.heldBy === process.pid) keepRecord(place, record)
  wakeWatcher(context)
}

/** Written down before it is printed: the next event of the session shows whether it began. */
function handOver(place: SessionPlace, record: TurnRecord, { id, text }: Instruction): Verdict {
  keepHanded(recordPath(place), { id, text })
  const { ended: _, ...rest } = record
  keepRecord(place, { ...rest, beganAt: Date.now(), typed: false })
  return { is: 'go_on', text }
}

async function waitFor(
  service: Service,
  { sessionId }: TurnRecord,
  holdMs: number,
  signal: AbortSignal,
): Promise<Instruction | undefined> {
  const until = performance.now() + holdMs
  const left = () => until - performance.now()
  do {
    const heldMs = Math.max(0, Math.min(HELD_MS, left()))
    const reply = await collect(service, [sessionId], heldMs, { ms: heldMs + SLACK_MS, signal })
    if (reply.is === 'one') return reply.instruction
    // A server that restarts is waited for.
    if (reply.is === 'away') await nap(RETRY_MS, signal)
  } while (left() > 0 && !signal.aborted)
  return undefined
}

async function nap(ms: number, signal: AbortSignal): Promise<void> {
  await pause(ms, undefined, { signal }).catch(() => undefined)
}

// Read when the hook begins, because the client may be gone before the wait starts.
const parent = process.ppid

/** Aborts at the first key, with the hook or its client, and when the session has gone on. */
function watchTerminal(
  { process: client, ended }: TurnRecord,
  place: SessionPlace,
): Disposable & { signal: AbortSignal; why(): Why | undefined } {
  const leaving = new AbortController()
  let reason: Why | undefined
  const leave = (why: Why) => {
    reason ??= why
    leaving.abort()
  }
  const readAt = client?.terminal === undefined ? undefined : readAtOf(client.terminal)
  const look = () => {
    // A process whose parent ends gets another parent.
    if (process.ppid !== parent) return leave('ended')
    if (
      client?.terminal !== undefined &&
      readAt !== undefined &&
      readAtOf(client.terminal) !== readAt
    )
      return leave('typed')
    const now = readRecord(recordPath(place))
    if (now?.overAt !== undefined) return leave('ended')
    if (now?.heldBy === process.pid && now.ended?.at === ended?.at) return
    leave(now?.heldBy === undefined || now.heldBy === process.pid ? 'typed' : 'replaced')
  }
  const timer = setInterval(look, LOOK_MS)
  const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const
  const onSignal = () => leave('ended')
  for (const signal of signals) process.on(signal, onSignal)
  return {
    signal: leaving.signal,
    why: () => reason,
    [Symbol.dispose]() {
      clearInterval(timer)
      for (const signal of signals) process.off(signal, onSignal)
    },
  }
}
