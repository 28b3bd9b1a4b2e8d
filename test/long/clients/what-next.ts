import { until } from '../../support/until.ts'
import { check, type Scenario, type Stage, short } from './stage.ts'
import type { Terminal } from './terminal.ts'

/** What a person says on the phone when the turn of a client has ended. */
export const WHAT_NEXT: Scenario[] = [
  { name: 'what next: answered on the phone, goes on', play: answered },
  { name: 'what next: a waiting hook is answered', play: held },
  { name: 'what next: a key lets a waiting hook go', play: typed },
  { name: 'what next: a turn that fails alone is told', play: failed },
  { name: 'what next: a client that is killed in a turn is told as failed', play: killed },
  { name: 'what next: a client that is killed while its hook waits', play: killedWhileHeld },
  { name: 'what next: alone, its waiting hook is answered', play: alone },
]

const ALONE = 'not possible: this client needs an account at a terminal'
const NEVER_WAITS = 'not possible: its hook never waits'

// Clients show their models what was said in earlier sessions too.
let count = 0
const newWords = (what: string) => `${what} number ${++count}, please`

// Longer than a client that is set back by others takes for its turn.
const PATIENCE_MS = 150_000

type Session = { id: string; status: string }
/** Somebody at a client, and the sessions that were there before it was opened. */
type Seat = Stage & { terminal: Terminal; before: readonly Session[] }

// The others are reached by a hook that waits, or at the end of their next turn.
const WOKEN = new Set(['claude', 'codex', 'opencode'])
const HOLDS = new Set(['claude', 'copilot', 'gemini', 'qwen'])

async function answered(stage: Stage): Promise<string> {
  return await atTerminal(stage, async (seat) => {
    const session = await finished(seat, 'go')
    if (WOKEN.has(stage.driver.name)) return await answer(seat, session)
    const words = await send(stage, session)
    await type(seat.terminal, 'something else')
    const ms = await reaches(seat, words)
    await untilTaken(seat, session)
    return `not woken; delivered at the end of the next turn, ${ms} ms after that was typed`
  })
}

async function held(stage: Stage): Promise<string> {
  return await atHold(stage, answer)
}

async function typed(stage: Stage): Promise<string> {
  return await atHold(stage, async (seat) => {
    // The kernel rounds the times of terminals to 8 seconds.
    await Bun.sleep(9_000)
    const words = newWords('type at the desk')
    const typing = type(seat.terminal, words)
    const ms = await reaches(seat, words)
    await typing
    return `the model read what was typed ${ms} ms after the first key`
  })
}

async function failed(stage: Stage): Promise<string> {
  const { driver, world, model, binary } = stage
  await world.house.setPolicy({ turnMs: 1 })
  const before = await sessionsOf(stage)
  model.plan([])
  model.fail(400)
  const startedAt = performance.now()
  try {
    const { code } = await driver.run(world, model, binary)
    const ended = performance.now()
    await untilReported(stage, before, 'failed')
    const ms = Math.round(performance.now() - ended)
    return `it ended with ${code} after ${Math.round(ended - startedAt)} ms, told ${ms} ms later`
  } finally {
    model.fail(undefined)
    world.killClients()
  }
}

async function killed(stage: Stage): Promise<string> {
  const { world, model } = stage
  return await atTerminal(stage, async (seat) => {
    model.fail('hang')
    try {
      await type(seat.terminal, 'go')
      await until(() => isAtWork(seat), PATIENCE_MS).catch(() => stuck(seat, 'no turn began'))
      const startedAt = performance.now()
      await seat.terminal.kill()
      await untilReported(stage, seat.before, 'failed')
      return `told ${Math.round(performance.now() - startedAt)} ms after it was killed`
    } finally {
      model.fail(undefined)
      world.killClients()
    }
  })
}

async function killedWhileHeld(stage: Stage): Promise<string> {
  const { house } = stage.world
  return await atHold(stage, async ({ terminal }, session) => {
    const startedAt = performance.now()
    await terminal.kill()
    const page = () => house.page(`/live/${session.id}`)
    await until(async () => !(await page()).includes('waits for your words'), PATIENCE_MS)
    const ms = Math.round(performance.now() - startedAt)
    await send(stage, session)
    await Bun.sleep(2_000)
    const state = await stateOf(stage, session)
    check(state === 'waiting', 'the words went somewhere', { state })
    return `the page says so ${ms} ms after it was killed, and later words wait`
  })
}

async function alone(stage: Stage): Promise<string> {
  const { driver, world, model, binary } = stage
  if (!HOLDS.has(driver.name)) return NEVER_WAITS
  await world.house.setPolicy({ turnMs: 1 })
  await world.setUp(driver.name, '--wait-next')
  model.plan([])
  const before = await sessionsOf(stage)
  const startedAt = performance.now()
  const running = driver.run(world, model, binary)
  try {
    const session = await untilReported(stage, before, 'finished')
    const heldMs = Math.round(performance.now() - startedAt)
    const words = await send(stage, session)
    const sentAt = performance.now()
    const isRead = () => model.seen.some((body) => body.includes(words))
    await until(isRead, PATIENCE_MS).catch(async () => {
      const ran = await Promise.race([running, Bun.sleep(1_000)])
      throw new Error(`the model never read it: ${JSON.stringify(ran)}`)
    })
    const ms = Math.round(performance.now() - sentAt)
    return `waited after ${heldMs} ms; the model read it ${ms} ms after it was sent: ${heard(stage, words)}`
  } finally {
    // It waits again after the turn that the phone began.
    world.killClients()
    await running
    await world.setUp(driver.name, '--no-wait-next')
  }
}

/** Sends the next step, and follows it until the agent begins with it. */
async function answer(seat: Seat, session: Session): Promise<string> {
  const words = await send(seat, session)
  const ms = await reaches(seat, words)
  await untilTaken(seat, session)
  return `the model read it ${ms} ms after it was sent: ${heard(seat, words)}`
}

async function send({ world }: Stage, { id }: Session): Promise<string> {
  const text = newWords('write the docs')
  const reply = await world.house.person(`/sessions/${id}/instructions`, { text })
  check(reply.status === 201, 'it was not taken', reply)
  return text
}

/** How long it took until the model was given these words. */
async function reaches(seat: Seat, words: string): Promise<number> {
  const startedAt = performance.now()
  const isRead = () => seat.model.seen.some((body) => body.includes(words))
  await until(isRead, PATIENCE_MS).catch(() => stuck(seat, 'the model never read it'))
  return Math.round(performance.now() - startedAt)
}

async function untilTaken(seat: Seat, session: Session): Promise<void> {
  const isBegun = async () => (await stateOf(seat, session)) === 'taken'
  await until(isBegun, PATIENCE_MS).catch(() => stuck(seat, 'it was never begun'))
}

async function stateOf({ world }: Stage, { id }: Session): Promise<string | undefined> {
  const { json } = await world.house.person(`/sessions/${id}/instructions`)
  return (json.instructions as Array<{ state: string }>)[0]?.state
}

/** What stands around the words in the request of the client. */
function heard({ model }: Stage, words: string): string {
  const body = model.seen.find((one) => one.includes(words)) ?? ''
  const at = body.indexOf(words)
  return JSON.stringify(body.slice(Math.max(0, at - 160), at + words.length + 60))
}

async function stuck(seat: Seat, what: string): Promise<never> {
  const sessions = JSON.stringify(await newOf(seat, seat.before))
  const seen = seat.model.seen.map(short).at(-1)
  throw new Error(`${what}: ${sessions}\n${await seat.terminal.screen()}\n${seen}`)
}

/** Gives the agent something to do, and waits until people are told that it is done. */
async function finished(seat: Seat, words: string): Promise<Session> {
  await type(seat.terminal, words)
  return await untilReported(seat, seat.before, 'finished').catch(() =>
    stuck(seat, 'no phone rang'),
  )
}

/** A client draws late what is typed into it; Enter before that is lost in some. */
async function type(terminal: Terminal, words: string): Promise<void> {
  await terminal.type(words)
  await terminal.shows(new RegExp(`^\\W*${words}`, 'm'))
  // An Enter right after text is taken for a pasted line by some.
  await Bun.sleep(500)
  await terminal.press('Enter')
}

/** The new session whose end people are told of. */
async function untilReported(
  stage: Stage,
  before: readonly Session[],
  outcome: 'finished' | 'failed',
): Promise<Session> {
  const { delivered } = stage.world.house.push
  let session: Session | undefined
  const isTold = async () => {
    session = (await newOf(stage, before)).find(({ id }) =>
      delivered.some(
        ({ payload: { notification } }) =>
          String(notification.navigate).includes(id) &&
          String(notification.title).includes(`${outcome} in shop-api`),
      ),
    )
    return session !== undefined
  }
  await until(isTold, PATIENCE_MS)
  return session as Session
}

/** Whether the page of the session at this client says so. */
async function isAtWork(seat: Seat): Promise<boolean> {
  const [session] = await newOf(seat, seat.before)
  return (
    session !== undefined &&
    (await seat.world.house.page(`/live/${session.id}`)).includes('at work')
  )
}

async function newOf(stage: Stage, before: readonly Session[]): Promise<Session[]> {
  const ids = before.map(({ id }) => id)
  return (await sessionsOf(stage)).filter(({ id }) => !ids.includes(id))
}

async function sessionsOf({ world }: Stage): Promise<Session[]> {
  return (await world.house.person('/sessions')).json.sessions as Session[]
}

/** With a client at a terminal whose hook waits. */
async function atHold(
  stage: Stage,
  play: (seat: Seat, session: Session) => Promise<string>,
): Promise<string> {
  const { driver, world } = stage
  if (!HOLDS.has(driver.name)) return NEVER_WAITS
  await world.setUp(driver.name, '--wait-next')
  try {
    return await atTerminal(stage, async (seat) => await play(seat, await finished(seat, 'go')))
  } finally {
    await world.setUp(driver.name, '--no-wait-next')
  }
}

async function atTerminal(stage: Stage, play: (seat: Seat) => Promise<string>): Promise<string> {
  const { driver, world, model, binary } = stage
  const sitDown = driver.sitDown ?? driver.openPrompt
  if (!sitDown) return ALONE
  // The turns of a stand-in are short, and somebody typed just before.
  await world.house.setPolicy({ turnMs: 1 })
  model.plan([])
  const before = await sessionsOf(stage)
  await using terminal = await sitDown(world, model, binary)
  try {
    return await play({ ...stage, terminal, before })
  } finally {
    world.killClients()
  }
}
