import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import { MODEL_CALL_ID } from '../../support/question.ts'
import { resultOf, toolCall } from './calls.ts'
import { becomes } from './figures.ts'
import { externalId } from './plan.ts'
import { figuresOf } from './sample.ts'
import type { Storm, Weather } from './storms.ts'
import { Broken, Wire } from './wire.ts'

// So many connect at once.
const TOGETHER = 100
const WAIT_MS = 55_000

/** A call that waits under this key; resolves once it is begun, or was refused. */
async function hold({ server, world, wrong }: Weather, key: string, n: number): Promise<Wire> {
  const wire = new Wire(server.url)
  const token = world.tokens[n % world.tokens.length] as string
  const send = toolCall({ era: n % 2 ? 'old' : 'modern', token }, 'ask_user', {
    ...{ question: `Storm ${key}: go on?`, requestId: key, timeoutMs: WAIT_MS },
    externalIds: [externalId(n % 20)],
  })
  await new Promise<void>((resolve) => {
    wire.send(send, resolve).then(
      (reply) => {
        // Nobody answers here, and no wait is over yet.
        wrong(`a wait ended: ${reply.status} ${JSON.stringify(resultOf(reply)).slice(0, 200)}`)
        resolve()
      },
      (error) => {
        // It ends by its own reset alone, which comes after its beginning.
        if (!(error instanceof Broken)) wrong(String(error))
        resolve()
      },
    )
  })
  return wire
}

async function holdAll(weather: Weather, name: string): Promise<Wire[]> {
  const { held } = weather.sizes
  const wires: Wire[] = []
  for (let at = 0; at < held; at += TOGETHER) {
    const some = Array.from({ length: Math.min(TOGETHER, held - at) }, (_, n) => at + n)
    wires.push(...(await Promise.all(some.map((n) => hold(weather, `${name}-${n}`, n)))))
  }
  return wires
}

async function waitsAre({ server, wrong }: Weather, wanted: number): Promise<void> {
  let waits: number | undefined
  const right = await becomes(async () => {
    waits = (await figuresOf(server.url)).get('beckon_waits')
    return waits === wanted
  })
  if (!right) wrong(`${waits} calls wait, and not ${wanted}`)
}

function questionsNamed({ world }: Weather, name: string): number {
  using db = new Database(join(world.data, 'beckon.db'), { readonly: true })
  const condition = `${MODEL_CALL_ID} like ? || '%'`
  const query = `select count(*) from questions where ${condition} and status = 'pending'`
  const [[count] = [0]] = db.query(query).values(`${name}-`)
  return Number(count)
}

/** Everybody waits, and everybody's connection is reset at once. */
export const vanishing: Storm = {
  name: 'clients that vanish by a reset in the middle of their wait',
  async rage(weather) {
    const wires = await holdAll(weather, 'vanish')
    await waitsAre(weather, wires.length)
    for (const wire of wires) wire.reset()
    await waitsAre(weather, 0)
    const left = questionsNamed(weather, 'vanish')
    if (left !== wires.length) weather.wrong(`${left} questions are open, and not ${wires.length}`)
    return wires.length
  },
}

/** Everybody comes back with the key of the same question, again and again. */
export const comingBack: Storm = {
  name: 'reconnects with the same keys, again and again',
  async rage(weather) {
    const { held, rounds } = weather.sizes
    for (let round = 0; round < rounds; round++) {
      const wires = await holdAll(weather, 'back')
      await waitsAre(weather, held)
      for (const wire of wires) wire.reset()
    }
    await waitsAre(weather, 0)
    const left = questionsNamed(weather, 'back')
    if (left !== held) weather.wrong(`${left} questions were asked under ${held} keys`)
    return held * rounds
  },
}

/** Calls that are given up at any moment, before and after they have begun, all the time. */
export const churning: Storm = {
  name: 'connects and disconnects while calls are held',
  async rage(weather) {
    const { server, world, sizes } = weather
    const stay = await holdAll(
      { ...weather, sizes: { ...sizes, held: Math.ceil(sizes.held / 4) } },
      'stay',
    )
    let count = 0
    const come = async (n: number) => {
      for (let round = 0; round < sizes.rounds; round++) {
        const wire = new Wire(server.url)
        const token = world.tokens[n % world.tokens.length] as string
        const key = `churn-${n}`
        const args = { question: `Storm ${key}?`, requestId: key, timeoutMs: WAIT_MS }
        const ended = wire.send(toolCall({ era: 'old', token }, 'ask_user', args)).catch(() => {})
        count++
        await Bun.sleep((n * 37 + round * 101) % 250)
        if (n % 2) wire.reset()
        else wire.close()
        await ended
      }
    }
    const visitors = Math.ceil(sizes.held / 10)
    await Promise.all(Array.from({ length: visitors }, (_, n) => come(n)))
    await waitsAre(weather, stay.length)
    for (const wire of stay) wire.close()
    await waitsAre(weather, 0)
    return count + stay.length
  },
}
