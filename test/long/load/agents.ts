import { type Era, resultOf, tokenGet, toolCall } from './calls.ts'
import { answerTo, type Ground } from './ground.ts'
import { externalId } from './plan.ts'
import { type Reply, type Send, Wire } from './wire.ts'

// The longest that a call may wait, and a little less, so that not all end in one moment.
const WAIT_MS = [35_000, 55_000] as const
// So many connect at once while the room fills.
const ENTER_TOGETHER = 100
// How long an agent whose token made too many calls holds back.
const BREATH_MS = 1_000

/** How many agents wait for a person at this moment. */
export type Agents = { waiting(): number; close(): void }

/** Agents that ask and wait, wait again, and ask the next thing once they have their answer. */
export async function startAgents(ground: Ground): Promise<Agents> {
  const { held } = ground.plan
  const agents = Array.from({ length: held }, (_, n) => createAgent(ground, n))
  for (let at = 0; at < held && !ground.over.aborted; at += ENTER_TOGETHER) {
    await Promise.all(agents.slice(at, at + ENTER_TOGETHER).map((agent) => agent.begin()))
  }
  return {
    waiting: () => agents.filter(({ waits }) => waits()).length,
    close: () => agents.forEach((agent) => void agent.close()),
  }
}

function createAgent({ plan, classes, times, ledger, over }: Ground, n: number) {
  const wire = new Wire(plan.url)
  const token = plan.tokens[n % plan.tokens.length] as string
  const era: Era = n % 2 === 0 ? 'old' : 'modern'
  // One in ten takes no streams, and waits again over REST.
  const asJson = n % 10 === 9
  const [least, most] = WAIT_MS
  const timeoutMs = least + ((n * 7_919) % (most - least))
  let waiting = false
  let closed = false

  const asks = (key: string): Send =>
    toolCall({ era, token, asJson }, 'ask_user', {
      question: `Held ${key}: shall it go on?`,
      type: n % 3 === 0 ? 'input' : 'confirm',
      ...{ requestId: key, timeoutMs, agentName: 'Load - held' },
      externalIds: [externalId(n % plan.subscribers)],
    })
  const waits = (correlationId: string): Send =>
    asJson
      ? tokenGet(token, `/questions/${correlationId}?timeoutMs=${timeoutMs}`)
      : toolCall({ era, token }, 'wait_for_answer', { correlationId, timeoutMs })

  async function call(what: string, send: Send, onStart?: () => void): Promise<Reply | undefined> {
    waiting = true
    try {
      const reply = await wire.send(send, onStart)
      if (classes.good(what, reply)) return reply
      await Bun.sleep(BREATH_MS)
    } catch (error) {
      if (!closed) classes.unforeseen(`${what}: ${(error as Error).message}`)
    } finally {
      waiting = false
    }
    return undefined
  }

  /** Asks once, and waits until the person has answered. */
  async function ask(key: string, onStart: () => void) {
    const sentAt = performance.now()
    let reply = await call('ask and wait', asks(key), () => {
      if (!asJson) times.held.add(performance.now() - sentAt)
      onStart()
    })
    classes.count('asks that wait')
    while (reply) {
      const { correlationId, status, value, type } = resultOf(reply)
      const id = String(correlationId)
      ledger.asked.set(key, id)
      if (status === 'answered') return hear(id, String(type), value)
      if (status !== 'pending') return classes.unforeseen(`a wait ended as ${reply.body}`)
      if (over.aborted && !ledger.answered.has(id)) return
      classes.count('waits again')
      reply = await call('wait again', waits(id))
    }
  }

  function hear(id: string, type: string, value: unknown) {
    const sentAt = ledger.answered.get(id)
    const wanted = answerTo(id, type)
    if (value !== wanted) classes.unforeseen(`${id} was told ${value}, and not ${wanted}`)
    if (sentAt === undefined) classes.unforeseen(`${id} was answered by nobody`)
    else times.reply.add(performance.now() - sentAt)
    ledger.heard.add(id)
  }

  async function work(onStart: () => void) {
    for (let k = 0; !over.aborted; k++) await ask(`held-${n}-${k}`, onStart)
  }

  return {
    /** Resolves once the first call is on its way; one that takes no streams says nothing yet. */
    begin() {
      return new Promise<void>((resolve) => {
        void work(resolve)
        if (asJson) resolve()
      })
    },
    waits: () => waiting,
    close() {
      closed = true
      wire.close()
    },
  }
}
