import { residentBytes } from '../bench/process.ts'
import { callbackReceiver } from '../support/callback-receiver.ts'
import type { ServerProcess } from '../support/server-process.ts'
import { personCall, resultOf, tokenGet, toolCall } from './calls.ts'
import { becomes } from './figures.ts'
import { externalId } from './plan.ts'
import { pushReceiver } from './push-receiver.ts'
import { figuresOf } from './sample.ts'
import { openSlow } from './slow.ts'
import { openTabs } from './tabs.ts'
import { answerTo } from './told.ts'
import { type Reply, type Send, Wire } from './wire.ts'
import { type How, loadWorld, type World } from './world.ts'

export type StopSizes = { held: number; pages: number; slow: number; answers: number }
export const FULL_STOP: StopSizes = { held: 10_000, pages: 500, slow: 50, answers: 100 }
export const SMALL_STOP: StopSizes = { held: 400, pages: 20, slow: 5, answers: 10 }

export type StopReport = {
  /** Calls that ended as they should: pending, to be waited for again. */
  sentHome: number
  /** Seconds from SIGTERM until the last call had its reply, and until the process had ended. */
  homeSeconds: number
  seconds: number
  /** Memory before anybody waited, and with everybody, MiB. */
  memory: { empty: number; full: number }
  exitCode: number
  /** Waits found again by the next server, and answers that reached them there. */
  foundAgain: number
  answered: number
  wrong: string[]
}

const TOGETHER = 100
const MIB = 1024 * 1024
// Some are between two waits at any moment.
const NEARLY_ALL = 0.98
const HUNG = 'x-hung'

/**
 * SIGTERM in the middle of everything, and a second start: calls that wait, pages, slow clients, a
 * push and a callback on their way.
 */
export async function runStop(
  sizes: StopSizes,
  { program, say = () => {} }: How = {},
): Promise<StopReport> {
  const wrong: string[] = []
  await using receiver = await callbackReceiver()
  let pushesHang = true
  const push = pushReceiver((name) =>
    name === '0' && pushesHang ? new Promise<void>(() => {}) : Promise.resolve(),
  )
  const people = Math.max(2, Math.ceil(sizes.pages / 25))
  await using world = await loadWorld({ subscribers: 20, people, tokens: 250, program }, push)
  await using first = await world.start()
  const cookies = await world.signIn(first.url)
  const call = caller(first, world, cookies)

  const onItsWay = await call.ask({ requestId: HUNG, externalIds: [externalId(0)] })
  const callbackUrl = receiver.url('/answered', 'hang', { status: 204 })
  const told = await call.ask({ requestId: 'told', callbackUrl, externalIds: [externalId(1)] })
  await call.answer(told, 'yes')
  await becomes(() => receiver.received.length > 0)

  say(`${sizes.held} calls begin to wait`)
  const empty = (await residentBytes(first.pid)) / MIB
  let stopping = false
  const calls = await holdAll(sizes.held, first, world, () => stopping)
  const tabs = await openTabs(first.url, cookies, sizes.pages)
  const slow = { url: first.url, cookie: cookies[0] ?? '', each: sizes.slow }
  const clients = await openSlow(slow, (why) => wrong.push(why))
  const there = await becomes(
    async () => ((await figuresOf(first.url)).get('beckon_waits') ?? 0) >= sizes.held * NEARLY_ALL,
  )
  if (!there) wrong.push('not everybody waited when it was stopped')

  const full = (await residentBytes(first.pid)) / MIB
  // It waits for its device for a moment, and the device says nothing.
  const note = { title: 'Built', body: 'All green.', externalIds: [externalId(0)] }
  const noted = call.notify(note)
  await becomes(() => push.waiting() === 2)

  say('SIGTERM')
  stopping = true
  const startedAt = performance.now()
  const ending = first.end('SIGTERM')
  const knocking = refuses(first.url)
  const ended = await Promise.all(calls)
  const homeSeconds = (performance.now() - startedAt) / 1_000
  const noteSaid = resultOf(await noted)
  if (noteSaid.sent !== 0) wrong.push(`a notification was told ${JSON.stringify(noteSaid)}`)
  const ids = ended.map((one) => idOf(one, wrong)).filter((id) => id !== undefined)
  const { code, err } = await ending
  const seconds = (performance.now() - startedAt) / 1_000
  clients.vanish()
  if (code !== 0) wrong.push(`the server ended with ${code}: ${err.slice(-300)}`)
  if (!(await knocking)) wrong.push('it took connections after SIGTERM')
  for (const how of tabs.ends()) if (how !== 'whole') wrong.push(`a page was ${how}`)

  say(`it ended after ${seconds.toFixed(1)} s; the next one starts`)
  pushesHang = false
  await using second = await world.start()
  const again = await findAgain([...ids, onItsWay], sizes.answers, second, world, cookies, wrong)
  if (!(await becomes(() => push.asked(onItsWay) === 1))) wrong.push('the push was never sent')
  if (!(await becomes(() => receiver.received.length > 1))) wrong.push('no callback came again')
  const callbacks = new Set(receiver.received.map(({ body }) => JSON.parse(body).id))
  if (callbacks.size !== 1) wrong.push('the callback came again under another id')
  wrong.push(...push.wrong)
  const last = await second.end('SIGTERM')
  if (last.code !== 0) wrong.push(`the second server ended with ${last.code}`)
  const memory = { empty, full }
  const sentHome = ended.filter(({ bySelf }) => !bySelf).length
  return { sentHome, homeSeconds, seconds, memory, exitCode: code, ...again, wrong }
}

/** An agent and a person with one connection each. */
function caller(server: ServerProcess, world: World, cookies: string[]) {
  const wire = new Wire(server.url)
  const token = world.tokens[0] as string
  return {
    async ask(more: object): Promise<string> {
      const args = { question: 'Go on?', wait: false, ...more }
      const reply = await wire.send(toolCall({ era: 'old', token }, 'ask_user', args))
      return String(resultOf(reply).correlationId)
    },
    async notify(args: object): Promise<Reply> {
      return await wire.send(toolCall({ era: 'old', token }, 'send_notification', args))
    },
    async answer(id: string, value: string): Promise<Reply> {
      const path = `/questions/${id}/answer`
      return await wire.send(personCall(server.url, cookies[0] ?? '', path, { value }))
    },
  }
}

const WAIT_MS = 55_000

/** A call that ended: sent home, or because its own time was over. */
type Ended = { reply: Reply | Error; bySelf: boolean }

/**
 * Calls of both eras, some that take no streams; each waits again when its time is over, until
 * `stopping`, and resolves to how it ended.
 */
async function holdAll(held: number, server: ServerProcess, world: World, stopping: () => boolean) {
  const calls: Promise<Ended>[] = []
  const begin = async (n: number) => {
    const token = world.tokens[n % world.tokens.length] as string
    const how = { era: n % 2 ? 'old' : 'modern', token, asJson: n % 10 === 9 } as const
    const wire = new Wire(server.url)
    const wait = async (send: Send, begun: () => void): Promise<Ended> => {
      const sentAt = performance.now()
      const reply = await wire.send(send, begun).catch((error: Error) => error)
      const bySelf = performance.now() - sentAt >= WAIT_MS - 1
      if (reply instanceof Error || stopping() || !bySelf) return { reply, bySelf }
      const again = { correlationId: resultOf(reply).correlationId, timeoutMs: WAIT_MS }
      return await wait(toolCall(how, 'wait_for_answer', again), () => {})
    }
    const send = toolCall(how, 'ask_user', {
      ...{ question: `Held ${n}?`, requestId: `held-${n}`, timeoutMs: WAIT_MS },
      externalIds: [externalId(1 + (n % 19))],
    })
    await new Promise<void>((begun) => {
      calls.push(wait(send, begun))
      if (how.asJson) begun()
    })
  }
  for (let at = 0; at < held; at += TOGETHER) {
    const some = Array.from({ length: Math.min(TOGETHER, held - at) }, (_, n) => begin(at + n))
    await Promise.all(some)
  }
  return calls
}

/** The question of a call that was sent home as it should be. */
function idOf({ reply, bySelf }: Ended, wrong: string[]): string | undefined {
  if (reply instanceof Error) return void wrong.push(`a call was cut: ${reply.message}`)
  const { correlationId, status, nextAction } = resultOf(reply)
  if (status === 'pending' && (bySelf || nextAction === 'wait_for_answer'))
    return String(correlationId)
  wrong.push(`a call ended as ${reply.status} ${reply.body.slice(0, 300)}`)
  return undefined
}

/** Whether a new connection is refused soon. */
function refuses(url: string): Promise<boolean> {
  return becomes(async () => {
    const wire = new Wire(url)
    const taken = await wire.send({ method: 'GET', path: '/healthz' }).catch(() => undefined)
    wire.close()
    return taken === undefined
  })
}

const AGAIN_TOGETHER = 1_000

/** Waits for each of them again, a thousand at a time; some are answered meanwhile. */
async function findAgain(
  ids: string[],
  answers: number,
  server: ServerProcess,
  world: World,
  cookies: string[],
  wrong: string[],
) {
  let foundAgain = 0
  let answered = 0
  const person = caller(server, world, cookies)
  const wait = async (id: string, n: number) => {
    const token = world.tokens[n % world.tokens.length] as string
    const timeoutMs = n < answers ? 20_000 : 1_000
    const overRest: Send = tokenGet(token, `/questions/${id}?timeoutMs=${timeoutMs}`)
    const args = { correlationId: id, timeoutMs }
    const wire = new Wire(server.url)
    const reply = await wire.send(
      n % 2 ? overRest : toolCall({ era: 'modern', token }, 'wait_for_answer', args),
    )
    wire.close()
    const { status, correlationId, value } = resultOf(reply)
    const wanted = n < answers ? 'answered' : 'pending'
    if (status !== wanted || correlationId !== id) {
      return void wrong.push(`${id} was found as ${reply.body.slice(0, 200)}`)
    }
    foundAgain++
    if (n < answers && value !== answerTo(id, 'confirm')) wrong.push(`${id} was told ${value}`)
    else if (n < answers) answered++
  }
  for (let at = 0; at < ids.length; at += AGAIN_TOGETHER) {
    const some = ids.slice(at, at + AGAIN_TOGETHER)
    const waits = some.map((id, n) => wait(id, at + n).catch((e) => wrong.push(`${id}: ${e}`)))
    if (at === 0) {
      for (const id of some.slice(0, answers)) await person.answer(id, answerTo(id, 'confirm'))
    }
    await Promise.all(waits)
  }
  return { foundAgain, answered }
}
