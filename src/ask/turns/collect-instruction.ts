import { type Clock, isoTime } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { cleanLine } from '../../platform/text.ts'
import type { CallContext, HangUp } from '../accounts/model/agent.ts'
import type { CollectInput, CollectResult, Instruction } from '../wire/turn-fields.ts'
import { handOver } from './hand-over.ts'
import { type SessionInstruction, wordsFor } from './model/instruction.ts'
import { listHandedOver, listWaiting, moveInstruction } from './model/instruction-store.ts'
import { IN_ROW_MAX, isReady, type Turn } from './model/turn.ts'
import { listOwnTurns } from './model/turn-store.ts'

type Deps = { db: Db; clock: Clock; closing: AbortSignal }

/**
 * Hands the next instruction for one of these sessions over, once there is one and the session is
 * not at work; empty when the time is over. Only the token that reports a session gets it. Handed
 * over at most once, unless it is given back.
 */
export async function collectInstruction(
  deps: Deps,
  { machineId, sessionIds, timeoutMs = 0 }: CollectInput,
  { caller, signal }: CallContext,
): Promise<CollectResult> {
  const { db, clock, closing } = deps
  const own = {
    workspaceId: caller.workspaceId,
    tokenId: caller.tokenId,
    machineId: cleanLine(machineId),
  }
  const names = [...new Set(sessionIds.map(cleanLine))]
  using news = listenForNews(deps, timeoutMs, [closing, signal])
  for (;;) {
    const turns = await listOwnTurns(db.read, own, names)
    if (turns.length === names.length) news.only(turns.map(({ id }) => id))
    const ready = turns.filter(isReady)
    await giveBackLost(deps, ready)
    const open = ready.filter(({ inRow }) => inRow < IN_ROW_MAX)
    const waiting = await listWaiting(
      db.read,
      open.map(({ id }) => id),
    )
    for (const instruction of waiting) {
      // A hook that has let go would lose it.
      if (signal.aborted) return {}
      const turn = open.find(({ id }) => id === instruction.session)
      const at = clock.now()
      if (turn && (await db.write((tx) => handOver(tx, turn, instruction, at))))
        return { instruction: read(turn, instruction) }
    }
    if ((await news.next()) === 'over') return {}
  }
}

// An agent that was given one begins sooner.
const LOST_MS = 60_000

/** An instruction that an idle session never began with was lost on its way: it waits again. */
async function giveBackLost({ db, clock }: Deps, idle: readonly Turn[]): Promise<void> {
  const now = clock.now()
  const lost = await listHandedOver(
    db.read,
    idle.map(({ id }) => id),
    now - LOST_MS,
  )
  if (lost.length === 0) return
  await db.write(async (tx) => {
    for (const instruction of lost) await moveInstruction(tx, instruction, 'give_back', now)
  })
}

function read(turn: Turn, instruction: SessionInstruction): Instruction {
  return {
    id: instruction.id,
    sessionId: turn.sessionId,
    text: wordsFor(instruction),
    from: instruction.personName,
    at: isoTime(instruction.createdAt),
  }
}

/**
 * Resolves with each change of an instruction or a session, and once the wait is over. `only` ignores
 * other sessions from then on: every call of every hook changes one.
 */
function listenForNews(
  { db, clock }: Deps,
  timeoutMs: number,
  ends: readonly HangUp[],
): Disposable & { next(): Promise<'news' | 'over'>; only(sessions: readonly string[]): void } {
  let wake = () => {}
  let watched: ReadonlySet<string> | undefined
  let isNew = false
  let isOver = timeoutMs <= 0 || ends.some(({ aborted }) => aborted)
  const onNews = () => {
    isNew = true
    wake()
  }
  const onChange = (session: string) => {
    if (!watched || watched.has(session)) onNews()
  }
  const onOver = () => {
    isOver = true
    wake()
  }
  const hangUp = { handleEvent: onOver }
  const stops = [
    db.changes.on('instruction', undefined, onChange),
    db.changes.on('session', undefined, onChange),
    db.changes.onMissed(onNews),
    db.changes.onLook(onNews),
    clock.after(timeoutMs, onOver),
  ]
  for (const end of ends) end.addEventListener('abort', hangUp, { once: true })
  return {
    only(sessions) {
      watched = new Set(sessions)
    },
    async next() {
      if (!isNew && !isOver) await new Promise<void>((resolve) => (wake = resolve))
      if (isOver) return 'over'
      isNew = false
      return 'news'
    },
    [Symbol.dispose]() {
      for (const stop of stops) stop()
      for (const end of ends) end.removeEventListener('abort', hangUp)
    },
  }
}
