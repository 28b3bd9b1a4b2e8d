import { toolCall } from './calls.ts'
import type { Classes } from './classes.ts'
import type { Times } from './figures.ts'
import { externalId } from './plan.ts'
import { Wire } from './wire.ts'

const EVERY_MS = 50
// Longer than any of them may take on a busy machine.
const PATIENCE_MS = 30_000

/**
 * Somebody who behaves, while others do not: asks over one connection that stays, and opens a page
 * over one that is new each time. Every reply has to come.
 */
export function startOthers(at: { url: string; token: string }, classes: Classes, times: Times) {
  let stopped = false
  let count = 0
  const run = crypto.randomUUID()

  async function once(wire: Wire) {
    const page = new Wire(at.url)
    const requestId = `others-${run}-${count++}`
    const to = { externalIds: [externalId(0)] }
    const args = { question: 'Is anybody there?', requestId, wait: false, ...to }
    const sends = [
      wire.send(toolCall({ era: 'modern', token: at.token }, 'ask_user', args)),
      page.send({ method: 'GET', path: '/sign-in' }),
    ]
    for (const sending of sends) {
      const startedAt = performance.now()
      const reply = await Promise.race([sending, tooLong()])
      times.add(performance.now() - startedAt)
      classes.good('somebody else', reply)
    }
    page.close()
  }

  const done = (async () => {
    const wire = new Wire(at.url)
    while (!stopped) {
      await once(wire).catch((error) => classes.unforeseen(`somebody else: ${error.message}`))
      await Bun.sleep(EVERY_MS)
    }
    wire.close()
  })()
  return {
    async stop() {
      stopped = true
      await done
    },
  }
}

function tooLong(): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>()
  setTimeout(() => reject(new Error('no reply within 30 s')), PATIENCE_MS).unref()
  promise.catch(() => {})
  return promise
}
