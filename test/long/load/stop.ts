import { callbackReceiver } from '../../support/callback-receiver.ts'
import { residentBytes } from '../bench/process.ts'
import { resultOf } from './calls.ts'
import { becomes } from './figures.ts'
import { caller, findAgain } from './find-again.ts'
import { DEVICES, type Ended, HUNG, holdAll } from './held.ts'
import { externalId } from './plan.ts'
import { pushReceiver } from './push-receiver.ts'
import { figuresOf } from './sample.ts'
import { openSlow } from './slow.ts'
import { openTabs } from './tabs.ts'
import { Wire } from './wire.ts'
import { complaintsIn, type How, loadWorld } from './world.ts'

export type StopSizes = { held: number; pages: number; slow: number; answers: number }
export const FULL_STOP: StopSizes = { held: 10_000, pages: 500, slow: 50, answers: 100 }
export const SMALL_STOP: StopSizes = { held: 200, pages: 20, slow: 5, answers: 10 }

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

const MIB = 1024 * 1024
// Some are between two waits at any moment.
const NEARLY_ALL = 0.98

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
    HUNG.includes(name) && pushesHang ? new Promise<void>(() => {}) : Promise.resolve(),
  )
  const people = Math.max(2, Math.ceil(sizes.pages / 25))
  await using world = await loadWorld({ subscribers: DEVICES, people, tokens: 250, program }, push)
  await using first = await world.start()
  const cookies = await world.signIn(first.url)
  const call = caller(first, world, cookies)

  const onItsWay = await call.ask({ requestId: 'hung', externalIds: [externalId(0)] })
  const callbackUrl = receiver.url('/answered', 'hang', { status: 204 })
  const id = await call.ask({ requestId: 'told', callbackUrl, externalIds: [externalId(2)] })
  await call.answer(id, 'yes')
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
  const note = { title: 'Built', body: 'All green.', externalIds: [externalId(1)] }
  const noted = call.notify(note).catch((error: Error) => error)
  await becomes(() => push.isWaiting('1'))

  say('SIGTERM')
  stopping = true
  const startedAt = performance.now()
  const ending = first.end('SIGTERM')
  const knocking = refuses(first.url)
  const ended = await Promise.all(calls)
  const homeSeconds = (performance.now() - startedAt) / 1_000
  const noteSaid = await noted
  if (noteSaid instanceof Error) wrong.push(`a notification was cut: ${noteSaid.message}`)
  else if (resultOf(noteSaid).sent !== 0) wrong.push(`a notification: ${noteSaid.body}`)
  const ids = ended.map((one) => idOf(one, wrong)).filter((id) => id !== undefined)
  const { code, err } = await ending
  const seconds = (performance.now() - startedAt) / 1_000
  clients.vanish()
  wrong.push(...complaintsIn(err))
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
  wrong.push(...complaintsIn(last.err))
  if (last.code !== 0) wrong.push(`the second server ended with ${last.code}`)
  const memory = { empty, full }
  const sentHome = ended.filter(({ bySelf }) => !bySelf).length
  return { sentHome, homeSeconds, seconds, memory, exitCode: code, ...again, wrong }
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
