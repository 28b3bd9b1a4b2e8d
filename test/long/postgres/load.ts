import { asAgent, asOwner, type House, type Reply } from '../../postgres/house.ts'
import type { Random } from '../crash/random.ts'

/** What callers were told, to be held against what is stored and what others were told. */
export type Ledger = {
  /** The id that an ask was acknowledged with, by its key. */
  askIds: Map<string, string>
  /** Answers that were acknowledged, by id, with when. */
  answered: Map<string, { value: string; at: number }>
  /** What waits were given, by id, with when. */
  heard: Map<string, { value: unknown; at: number }>
  /** What no fault excuses. */
  wrong: string[]
  /** Replies of the proxy that said "not now", by status; 0 where the connection broke. */
  refused: Map<number, number>
}

export type Load = { ledger: Ledger; stop(): void; done: Promise<void> }

const ASKERS = 5
const PAUSE_MS = 60
const AGAIN_MS = 150

/** Asks, waits and answers through the proxy and at every process until stopped; then to the end. */
export function beginLoad(house: House, prefix: string, random: Random): Load {
  const ledger: Ledger = {
    ...{ askIds: new Map(), answered: new Map(), heard: new Map() },
    ...{ wrong: [], refused: new Map() },
  }
  let stopped = false
  const followed: Promise<void>[] = []

  /** Repeats a call until it is not refused for now. */
  async function insist(call: () => Promise<Reply>, isProxied = true): Promise<Reply> {
    for (;;) {
      const reply = await call().catch(() => undefined)
      if (reply && reply.status < 500 && reply.status !== 429) return reply
      // A bug, where "not now" would have been the answer.
      if (reply?.status === 500) ledger.wrong.push(`500: ${JSON.stringify(reply.body)}`)
      if (isProxied) {
        const status = reply?.status ?? 0
        ledger.refused.set(status, (ledger.refused.get(status) ?? 0) + 1)
      }
      await Bun.sleep(AGAIN_MS + random.between(0, AGAIN_MS))
    }
  }

  const anyUrl = () => random.pick(house.beckons)?.url ?? house.url

  async function ask(key: string) {
    const body = { question: key, type: 'input', requestId: key, wait: false }
    const once = () => insist(() => asAgent(house, house.url, '/questions', body))
    const { status, body: reply } = await once()
    const id = String(reply.correlationId)
    if (status !== 200) return void ledger.wrong.push(`ask ${key}: ${status}`)
    ledger.askIds.set(key, id)
    if (random.chance(0.3)) {
      const again = await once()
      if (again.body.correlationId !== id) ledger.wrong.push(`${key} was asked twice`)
    }
    followed.push(wait(id), answer(id, `v-${key}`))
  }

  async function wait(id: string) {
    for (;;) {
      const { status, body } = await insist(() =>
        asAgent(house, house.url, `/questions/${id}?timeoutMs=30000`),
      )
      if (body.answered === true) {
        ledger.heard.set(id, { value: body.value, at: Date.now() })
        return
      }
      // The database was away when it looked: the caller is told to come again.
      const isOpen = status === 200 && /^(pending|unavailable)$/.test(String(body.status))
      if (!isOpen) return void ledger.wrong.push(`wait ${id}: ${status} ${JSON.stringify(body)}`)
    }
  }

  async function answer(id: string, value: string) {
    await Bun.sleep(random.between(50, 1_500))
    const give = (value: string) =>
      insist(() => asOwner(house, anyUrl(), `/questions/${id}/answer`, { value }), false)
    // One whose reply was lost may have counted: then this one comes too late.
    const { status } = await give(value)
    if (status !== 200 && status !== 409) ledger.wrong.push(`answer ${id}: ${status}`)
    ledger.answered.set(id, { value, at: Date.now() })
    if (random.chance(0.3)) {
      const late = await give('changed')
      if (late.status === 200) ledger.wrong.push(`${id} was answered twice`)
    }
  }

  const askers = Array.from({ length: ASKERS }, async (_, asker) => {
    for (let n = 0; !stopped; n++) {
      await ask(`${prefix}-${asker}-${n}`)
      await Bun.sleep(PAUSE_MS + random.between(0, PAUSE_MS))
    }
  })
  return {
    ledger,
    stop() {
      stopped = true
    },
    done: Promise.all(askers)
      .then(() => Promise.all(followed))
      .then(() => {}),
  }
}
