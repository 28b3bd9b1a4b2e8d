import type { ServerProcess } from '../../support/server-process.ts'
import { resultOf, toolCall } from './calls.ts'
import { externalId } from './plan.ts'
import { type Reply, type Send, Wire } from './wire.ts'
import type { World } from './world.ts'

/** Devices 0 and 1 say nothing, those after them take what comes. */
export const HUNG = ['0', '1']
export const DEVICES = 20

const TOGETHER = 100
const WAIT_MS = 55_000

/** A call that ended: sent home, or because its own time was over. */
export type Ended = { reply: Reply | Error; bySelf: boolean }

/**
 * Calls of both eras, some that take no streams; each waits again when its time is over, until
 * `stopping`, and resolves to how it ended.
 */
export async function holdAll(
  held: number,
  server: ServerProcess,
  world: World,
  stopping: () => boolean,
) {
  const calls: Promise<Ended>[] = []
  const begin = async (n: number) => {
    const token = world.tokens[n % world.tokens.length] as string
    const how = { era: n % 2 ? 'old' : 'modern', token, asJson: n % 10 === 9 } as const
    const wire = new Wire(server.url)
    const wait = async (send: Send, onStart: () => void): Promise<Ended> => {
      const sentAt = performance.now()
      const reply = await wire.send(send, onStart).catch((error: Error) => error)
      const bySelf = performance.now() - sentAt >= WAIT_MS - 1
      if (reply instanceof Error || stopping() || !bySelf) return { reply, bySelf }
      const again = { correlationId: resultOf(reply).correlationId, timeoutMs: WAIT_MS }
      return await wait(toolCall(how, 'wait_for_answer', again), () => {})
    }
    const send = toolCall(how, 'ask_user', {
      ...{ question: `Held ${n}?`, requestId: `held-${n}`, timeoutMs: WAIT_MS },
      externalIds: [externalId(2 + (n % (DEVICES - 2)))],
    })
    await new Promise<void>((start) => {
      calls.push(wait(send, start))
      if (how.asJson) start()
    })
  }
  for (let at = 0; at < held; at += TOGETHER) {
    const some = Array.from({ length: Math.min(TOGETHER, held - at) }, (_, n) => begin(at + n))
    await Promise.all(some)
  }
  return calls
}
