import { personCall, toolCall } from './calls.ts'
import { answerTo, type Ground } from './ground.ts'
import type { Heard } from './pages.ts'
import { externalId } from './plan.ts'
import { Wire } from './wire.ts'

const TICK_MS = 100
const CONNECTIONS = 16

export type Person = {
  /** What a page of theirs shows. */
  hear(heard: Heard): void
  /** Questions that may be answered now. */
  open(): number
  /** Resolves once nothing is on its way. */
  idle(): Promise<void>
}

/** Somebody who answers all the time, over several connections, what a page of theirs shows. */
export function startPerson({ plan, classes, times, ledger, over }: Ground): Person {
  const wires = Array.from({ length: CONNECTIONS }, () => new Wire(plan.url))
  const open = new Map<string, string>()
  const underWay = new Set<Promise<void>>()

  async function answer(id: string, type: string, wire: Wire) {
    const cookie = plan.cookies[underWay.size % plan.cookies.length] as string
    const value = answerTo(id, type)
    const body = { value, surface: 'inbox' }
    const sentAt = performance.now()
    ledger.answered.set(id, sentAt)
    const reply = await wire.send(personCall(plan.url, cookie, `/questions/${id}/answer`, body))
    times.answer.add(performance.now() - sentAt)
    if (classes.good('an answer', reply)) classes.count('answers')
  }

  function answerSome() {
    for (let n = (plan.answers * TICK_MS) / 1_000; n > 0; n--) {
      const [first] = open
      const wire = wires.pop()
      if (!wire || !first) return wire && void wires.push(wire)
      const [id, type] = first
      open.delete(id)
      const done = answer(id, type, wire)
        .catch((error) => classes.unforeseen(`an answer: ${error.message}`))
        .finally(() => {
          wires.push(wire)
          underWay.delete(done)
        })
      underWay.add(done)
    }
  }

  const ticking = setInterval(answerSome, TICK_MS)
  over.addEventListener('abort', () => clearInterval(ticking))
  return {
    hear({ event, id, question, type }) {
      if (event === 'question.ended') open.delete(id)
      // What a burst asked is withdrawn by the agents themselves.
      else if (question.startsWith('Held ')) open.set(id, type)
    },
    open: () => open.size,
    idle: async () => void (await Promise.all(underWay)),
  }
}

/** A notification a second to one device, which every page has to hear of; now and then to all. */
export function startNotifying(
  { plan, classes, times, over }: Ground,
  expect: (mark: number, sentAt: number) => void,
) {
  const wire = new Wire(plan.url)
  let mark = 0
  let busy = false

  async function notify() {
    const toAll = ++mark % plan.everyone === 0
    const sentAt = performance.now()
    const args = {
      ...{ title: `mark-${mark}`, body: 'All green.' },
      ...(toAll ? {} : { externalIds: [externalId(mark % plan.subscribers)] }),
    }
    const token = plan.tokens[0] as string
    expect(mark, sentAt)
    const reply = await wire.send(toolCall({ era: 'old', token }, 'send_notification', args))
    times.notify.add(performance.now() - sentAt)
    if (classes.good('a notification', reply)) classes.count('notifications')
  }

  const ticking = setInterval(async () => {
    if (busy) return
    busy = true
    await notify().catch((error) => classes.unforeseen(`a notification: ${error.message}`))
    busy = false
  }, 1_000)
  over.addEventListener('abort', () => clearInterval(ticking))
}
