import { resultOf, toolCall } from './calls.ts'
import type { Ground } from './ground.ts'
import { externalId } from './plan.ts'
import { Wire } from './wire.ts'

const CONNECTIONS = 64
// One in so many is sent twice under one key, as by a client that lost its reply.
const AGAIN_EVERY = 50

/** A question of a burst; the token that asked it may withdraw it, and no other agent's may. */
type BurstQuestion = { correlationId: string; token: string }

/** Asks that do not wait, as many at once as `CONNECTIONS` can; each burst connects anew. */
async function burst(
  { plan, classes, times, ledger }: Ground,
  name: string,
): Promise<BurstQuestion[]> {
  const questions: BurstQuestion[] = []
  let next = 0

  async function ask(wire: Wire, n: number) {
    const key = `${name}-${n}`
    const token = plan.tokens[n % plan.tokens.length] as string
    const send = toolCall({ era: n % 2 ? 'old' : 'modern', token }, 'ask_user', {
      ...{ question: `Burst ${key}: go on?`, requestId: key, wait: false },
      externalIds: [externalId(n % plan.subscribers)],
    })
    const sentAt = performance.now()
    const reply = await wire.send(send)
    times.ask.add(performance.now() - sentAt)
    if (!classes.good('an ask of a burst', reply)) return
    const id = String(resultOf(reply).correlationId)
    classes.count('asks of bursts')
    ledger.asked.set(key, id)
    questions.push({ correlationId: id, token })
    if (n % AGAIN_EVERY === 0) await askAgain(wire, send, id)
  }

  async function askAgain(wire: Wire, send: Parameters<Wire['send']>[0], id: string) {
    const reply = await wire.send(send)
    if (!classes.good('an ask again', reply)) return
    const again = String(resultOf(reply).correlationId)
    if (again !== id) classes.unforeseen(`one key asked twice: ${id} and ${again}`)
    classes.count('asks again with one key')
  }

  async function connection() {
    const wire = new Wire(plan.url)
    while (next < plan.burst) await ask(wire, next++)
    wire.close()
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, connection))
  return questions
}

/** Withdraws what a burst asked, at a pace that is done before the next one. */
async function withdraw(
  { plan, classes, times, ledger, over }: Ground,
  questions: BurstQuestion[],
) {
  const wire = new Wire(plan.url)
  const everyMs = (plan.burstEvery * 1_000 * 0.8) / Math.max(1, questions.length)
  const startedAt = performance.now()
  for (const [n, { correlationId, token }] of questions.entries()) {
    const early = startedAt + n * everyMs - performance.now()
    if (early > 1) await Bun.sleep(early)
    if (over.aborted) break
    const sentAt = performance.now()
    const send = toolCall({ era: 'modern', token }, 'cancel_question', { correlationId })
    const reply = await wire.send(send)
    times.cancel.add(performance.now() - sentAt)
    if (!classes.good('a cancel', reply)) continue
    if (resultOf(reply).cancelled !== true) classes.unforeseen(`not cancelled: ${reply.body}`)
    ledger.cancelled.add(correlationId)
    classes.count('cancels')
  }
  wire.close()
}

/** Bursts until it is over; resolves when the last is done. */
export async function runBursts(ground: Ground): Promise<void> {
  const { plan, over, classes } = ground
  const withdrawing: Promise<void>[] = []
  const whole = (error: Error) => classes.unforeseen(`a burst: ${error.message}`)
  for (let n = 0; !over.aborted; n++) {
    const startedAt = performance.now()
    const questions = await burst(ground, `burst-${n}`).catch((error) => void whole(error))
    if (!questions) return
    classes.count('bursts')
    withdrawing.push(withdraw(ground, questions).catch(whole))
    const rest = plan.burstEvery * 1_000 - (performance.now() - startedAt)
    await pause(Math.max(0, rest), over)
  }
  await Promise.all(withdrawing)
}

function pause(ms: number, over: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    over.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
