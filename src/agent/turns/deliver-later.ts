import { rmSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { loadHookClient } from '../clients/clients.ts'
import type { Service } from '../hook/context.ts'
import type { IdleDelivery } from './client-turns.ts'
import { isRunning } from './terminal.ts'
import { callTurn, collect } from './turn-calls.ts'
import {
  handedPath,
  keepHanded,
  readHanded,
  readRecord,
  recordPaths,
  type TurnRecord,
} from './turn-record.ts'

const HELD_MS = 20_000
const SLACK_MS = 5_000
const LOOK_MS = 1_000
const REPORT_MS = 5_000

type Idle = { path: string; record: TurnRecord; delivery: IdleDelivery }

/**
 * Hands instructions to idle sessions of clients that need no hook for it, until disposed. `count`:
 * how many such sessions there are.
 */
export function deliverLater({
  state,
  service,
}: {
  state: string
  service: Service
}): Disposable & { count(): number } {
  const over = new AbortController()
  let idle: Idle[] = []
  let waiting: { names: string; stop: AbortController } | undefined

  async function look() {
    idle = await idleSessions(state)
    const names = idle.map(({ record }) => record.sessionId).join()
    // Others are idle now: the call begins anew with them.
    if (waiting && waiting.names !== names) waiting.stop.abort()
    if (waiting || idle.length === 0) return
    const stop = new AbortController()
    waiting = { names, stop }
    void deliver(idle, stop.signal).finally(() => {
      waiting = undefined
    })
  }

  async function deliver(sessions: Idle[], signal: AbortSignal) {
    const ids = sessions.map(({ record }) => record.sessionId)
    const limits = { ms: HELD_MS + SLACK_MS, signal }
    const reply = await collect(service, ids, HELD_MS, limits)
    if (reply.is === 'away') await pause(LOOK_MS)
    if (reply.is !== 'one') return
    const { id, text, sessionId } = reply.instruction
    const session = sessions.find(({ record }) => record.sessionId === sessionId)
    if (!session) return
    const { path, record, delivery } = session
    // Before the client has it, so that its next prompt is known as ours.
    keepHanded(path, { id, text })
    if (await delivery.deliver(text)) return
    rmSync(handedPath(path), { force: true })
    await callTurn(service, record, 'given_back', { ms: REPORT_MS }, { instructionId: id })
  }

  void (async () => {
    while (!over.signal.aborted) {
      await look()
      await pause(LOOK_MS, undefined, { signal: over.signal }).catch(() => undefined)
    }
  })()

  return {
    count: () => idle.length,
    [Symbol.dispose]() {
      over.abort()
      waiting?.stop.abort()
    },
  }
}

async function idleSessions(state: string): Promise<Idle[]> {
  const sessions = await Promise.all(
    recordPaths(state).map(async (path): Promise<Idle[]> => {
      const record = readRecord(path)
      if (!record?.ended || record.overAt !== undefined || readHanded(path)) return []
      if (!record.process || !isRunning(record.process)) return []
      const client = await loadHookClient(record.client)
      const delivery = client?.turns?.idleDelivery?.(record)
      return delivery ? [{ path, record, delivery }] : []
    }),
  )
  return sessions.flat()
}
