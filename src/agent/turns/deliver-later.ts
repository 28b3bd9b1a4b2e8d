import { rmSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { IdleDelivery } from '../clients/client-turns.ts'
import { loadHookClient } from '../clients/clients.ts'
import type { Service } from '../session/context.ts'
import { handedPath, keepHanded, type RecordAt, readHanded } from '../state/turn-record.ts'
import { isRunning } from '../terminal.ts'
import { callTurn, collect } from './turn-calls.ts'

const HELD_MS = 20_000
const SLACK_MS = 5_000
const LOOK_MS = 1_000
const REPORT_MS = 5_000
// A client that did not take an instruction is not asked again at once.
const REFUSED_MS = 30_000

type Idle = RecordAt & { delivery: IdleDelivery }

/**
 * Hands instructions to idle sessions of clients that need no hook for it, until disposed. `look`: with
 * the records as they are now; resolves to how many such sessions there are.
 */
export function deliverLater(
  service: Service,
): Disposable & { look(records: readonly RecordAt[]): Promise<number> } {
  const refused = new Map<string, number>()
  let waiting: { names: string; stop: AbortController } | undefined

  async function look(records: readonly RecordAt[]) {
    const now = performance.now()
    const open = records.filter(({ path }) => (refused.get(path) ?? 0) <= now)
    const idle = (await Promise.all(open.map(idleSession))).filter((one) => one !== undefined)
    const names = idle.map(({ record }) => record.sessionId).join()
    // Others are idle now: the call begins anew with them.
    if (waiting && waiting.names !== names) waiting.stop.abort()
    if (!waiting && idle.length > 0) {
      const stop = new AbortController()
      waiting = { names, stop }
      void deliver(idle, stop.signal).finally(() => {
        waiting = undefined
      })
    }
    return idle.length
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
    refused.set(path, performance.now() + REFUSED_MS)
    await callTurn(service, record, 'given_back', { ms: REPORT_MS }, { instructionId: id })
  }

  return { look, [Symbol.dispose]: () => waiting?.stop.abort() }
}

async function idleSession({ path, record }: RecordAt): Promise<Idle | undefined> {
  const { ended, overAt, process } = record
  if (!ended || overAt !== undefined || !process || readHanded(path)) return undefined
  if (!isRunning(process)) return undefined
  const client = await loadHookClient(record.client)
  const delivery = client?.turns?.idleDelivery?.(record)
  return delivery && { path, record, delivery }
}
