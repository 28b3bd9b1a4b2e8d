import { askUser } from '../../src/ask/asking/ask-user.ts'
import { keepRetrying } from '../../src/ask/delivery/retry-deliveries.ts'
import { findLastOfGroup } from '../../src/ask/notifications/model/store.ts'
import { reportPresence } from '../../src/ask/presence/read-sessions.ts'
import type { AskInput } from '../../src/ask/wire/ask-fields.ts'
import { type FlowWorld, flowWorld } from './flow-world.ts'

export const ASK = { question: 'Deploy now?', sessionId: 's1', machineId: 'm1' } satisfies AskInput
type Retries = Parameters<typeof keepRetrying>[0]
const retrying = ({ deps }: FlowWorld) => ({ ...deps, findLastOfGroup }) as unknown as Retries

/** A world whose outbox is looked after, as in a server; `rang` says when each phone did. */
export async function heldPhones(labels: Record<string, 'phone' | 'browser'>) {
  const world = await flowWorld()
  for (const [label, kind] of Object.entries(labels)) await world.device(label, { kind })
  const rang: Array<[label: string, at: number]> = []
  let heard = 0
  const looking = keepRetrying(retrying(world), (error) => {
    throw error
  })
  const { clock, deps, call } = world
  const { workspaceId } = call().caller
  return {
    world,
    rang,
    /** Goes on in small steps, so that each ring has its time. */
    async pass(ms: number) {
      for (let left = ms; left > 0; left -= 500) {
        await clock.advance(Math.min(500, left))
        for (; heard < world.deliveries.length; heard++) {
          const { to, message } = world.deliveries[heard] ?? {}
          if (to && message?.kind !== 'outcome') rang.push([to.label, clock.now()])
        }
      }
    },
    prove: (machineId = 'm1') => reportPresence(deps, workspaceId, { machineId }),
    ask: (more: Partial<AskInput> = {}) => askUser(deps, { ...ASK, ...more }, call()),
    async [Symbol.asyncDispose]() {
      await looking[Symbol.asyncDispose]()
      await world[Symbol.asyncDispose]()
    },
  }
}
