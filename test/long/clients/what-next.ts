import { until } from '../../support/until.ts'
import { check, type Scenario, type Stage, short } from './stage.ts'
import type { Terminal } from './terminal.ts'

/** What a person says on the phone when the turn of a client at a terminal has ended. */
export const WHAT_NEXT: Scenario[] = [
  { name: 'what next: finished, answered on the phone, goes on', play: answered },
  { name: 'what next: a waiting hook is answered', play: held },
  { name: 'what next: a key lets a waiting hook go', play: typed },
  { name: 'what next: a turn that fails alone is told', play: failed },
  { name: 'what next: a client that is killed in a turn is told as failed', play: killed },
  { name: 'what next: a client that is killed while its hook waits', play: killedWhileHeld },
  { name: 'what next: alone, its waiting hook is answered', play: alone },
]

const ALONE = 'not possible: this client needs an account at a terminal'
const NEXT = 'now write the docs, please'

type Session = { id: string; status: string }

// The others are reached by a hook that waits, or at their next turn.
const WOKEN = new Set(['claude', 'codex', 'opencode'])

async function answered(stage: Stage): Promise<string> {
  const { driver, world } = stage
  return await atTerminal(stage, async (terminal) => {
    const session = await finished(stage, terminal, 'go')
    if (!WOKEN.has(driver.name)) {
      const page = await world.house.page(`/live/${session.id}`)
      check(page.includes('cannot be woken now'), 'the page promises more', {})
      return 'told; the page says that it cannot be woken'
    }
    return await answer(stage, terminal, session)
  })
}

async function held(stage: Stage): Promise<string> {
  return await atTerminal(stage, async (terminal) => {
    const session = await holding(stage, terminal)
    if (!session) return 'its hook never waits'
    return await answer(stage, terminal, session)
  })
}

async function typed(stage: Stage): Promise<string> {
  const { model } = stage
  return await atTerminal(stage, async (terminal) => {
    if (!(await holding(stage, terminal))) return 'its hook never waits'
    // The kernel rounds the times of terminals to 8 seconds.
    await Bun.sleep(9_000)
    const begun = performance.now()
    await terminal.type('typed at the desk')
    await Bun.sleep(300)
    await terminal.press('Enter')
    await reaches(stage, terminal, 'typed at the desk')
    const ms = Math.round(performance.now() - begun)
    check(!model.seen.some((body) => body.includes(NEXT)), 'the phone was heard', {})
    return `the model read what was typed ${ms} ms after the first key`
  })
}

async function failed({ driver, world, model, binary }: Stage): Promise<string> {
  const { delivered } = world.house.push
  await world.house.setPolicy({ turnMs: 1 })
  const before = delivered.length
  model.plan([])
  model.fail(400)
  const begun = performance.now()
  try {
    const { code } = await driver.run(world, model, binary)
    const ended = performance.now()
    await until(() => delivered.slice(before).some(({ payload }) => isEnd(payload, 'failed')))
    const ms = Math.round(performance.now() - ended)
    return `it ended with ${code} after ${Math.round(ended - begun)} ms, told ${ms} ms later`
  } finally {
    model.fail(undefined)
    world.killClients()
  }
}

async function killed(stage: Stage): Promise<string> {
  const { world, model } = stage
  return await atTerminal(stage, async (terminal) => {
    const { delivered } = world.house.push
    const before = delivered.length
    model.fail('hang')
    try {
      await terminal.type('go')
      await Bun.sleep(300)
      await terminal.press('Enter')
      await until(() => model.seen.length > 0)
      // The hook of the prompt has written down that a turn began.
      await Bun.sleep(3_000)
      const begun = performance.now()
      await terminal.kill()
      await until(() => delivered.slice(before).some(({ payload }) => isEnd(payload, 'failed')))
      return `told ${Math.round(performance.now() - begun)} ms after it was killed`
    } finally {
      model.fail(undefined)
    }
  })
}

async function killedWhileHeld(stage: Stage): Promise<string> {
  const { world } = stage
  return await atTerminal(stage, async (terminal) => {
    const session = await holding(stage, terminal)
    if (!session) return 'its hook never waits'
    const begun = performance.now()
    await terminal.kill()
    const page = () => world.house.page(`/live/${session.id}`)
    await until(async () => !(await page()).includes('waits for your words'))
    const ms = Math.round(performance.now() - begun)
    const sent = await world.house.person(`/sessions/${session.id}/instructions`, { text: NEXT })
    await Bun.sleep(2_000)
    const { json } = await world.house.person(`/sessions/${session.id}/instructions`)
    const [{ state } = { state: '' }] = json.instructions as Array<{ state: string }>
    check(sent.status === 201 && state === 'waiting', 'the words went somewhere', { state })
    return `the page says so ${ms} ms after it was killed, and later words wait`
  })
}

async function alone(stage: Stage): Promise<string> {
  const { driver, world, model, binary } = stage
  if (driver.name === 'codex' || driver.name === 'opencode') return 'its hook never waits'
  const { house } = world
  await house.setPolicy({ turnMs: 1 })
  const run = () => {
    model.plan([])
    return driver.run(world, model, binary)
  }
  const { delivered } = house.push
  await run()
  await until(() => delivered.some(({ payload }) => isEnd(payload)))
  const sessions = async () => (await house.person('/sessions')).json.sessions as Session[]
  const [first] = await sessions()
  await house.form(`/live/${first?.id}/next/settings`, { replies: 'Continue', holds: 'on' })
  await run()
  // The report of this end says that hooks may wait.
  await Bun.sleep(4_000)
  const begun = performance.now()
  const running = run()
  let session: Session | undefined
  await until(async () => {
    session = (await sessions()).find(({ status }) => status === 'finished')
    return session !== undefined
  })
  const sent = await house.person(`/sessions/${session?.id}/instructions`, { text: NEXT })
  check(sent.status === 201, 'it was not taken', sent)
  const sentAt = performance.now()
  await until(() => model.seen.some((body) => body.includes(NEXT))).catch(async () => {
    throw new Error(
      `the model never read it: ${JSON.stringify(await Promise.race([running, Bun.sleep(1_000)]))}`,
    )
  })
  const ms = Math.round(performance.now() - sentAt)
  // It waits again after the turn that the phone began.
  world.killClients()
  await running
  const heard = model.seen.find((body) => body.includes(NEXT)) ?? ''
  const at = heard.indexOf(NEXT)
  const words = heard.slice(Math.max(0, at - 120), at + NEXT.length + 40)
  return `held after ${Math.round(sentAt - begun)} ms; the model read it ${ms} ms after it was sent: ${JSON.stringify(words)}`
}

/** Sends the next step, and follows it until the agent begins with it. */
async function answer(stage: Stage, terminal: Terminal, { id }: Session): Promise<string> {
  const { house } = stage.world
  const begun = performance.now()
  const sent = await house.person(`/sessions/${id}/instructions`, { text: NEXT })
  check(sent.status === 201, 'it was not taken', sent)
  await reaches(stage, terminal, NEXT)
  const ms = Math.round(performance.now() - begun)
  const list = async () => {
    const { json } = await house.person(`/sessions/${id}/instructions`)
    return (json.instructions as Array<{ state: string }>)[0]?.state
  }
  await until(async () => (await list()) === 'taken').catch(async () => {
    throw new Error(`it was never begun, but ${await list()}:\n${await terminal.screen()}`)
  })
  const heard = stage.model.seen.find((body) => body.includes(NEXT)) ?? ''
  const at = heard.indexOf(NEXT)
  const words = heard.slice(Math.max(0, at - 160), at + NEXT.length + 100)
  return `the model read it ${ms} ms after it was sent: ${JSON.stringify(words)}`
}

async function reaches({ model }: Stage, terminal: Terminal, words: string): Promise<void> {
  await until(() => model.seen.some((body) => body.includes(words))).catch(async () => {
    const seen = model.seen.map(short).at(-1)
    throw new Error(`the model never read it:\n${await terminal.screen()}\n${seen}`)
  })
}

/** The session once its hook waits; undefined for a client whose hook never does. */
async function holding(stage: Stage, terminal: Terminal): Promise<Session | undefined> {
  const { driver, world } = stage
  if (driver.name === 'codex' || driver.name === 'opencode') return undefined
  const { id } = await finished(stage, terminal, 'go')
  await world.house.form(`/live/${id}/next/settings`, { replies: 'Continue', holds: 'on' })
  // The next end of a turn says that hooks may wait, and the one after it finds one that does.
  await finished(stage, terminal, 'again')
  await Bun.sleep(3_000)
  return await finished(stage, terminal, 'once more')
}

/** Gives the agent something to do, and waits until people are told that it is done. */
async function finished(
  { world, model }: Stage,
  terminal: Terminal,
  words: string,
): Promise<Session> {
  const { delivered } = world.house.push
  const before = delivered.length
  model.plan([])
  await terminal.type(words)
  await Bun.sleep(300)
  await terminal.press('Enter')
  await until(() => delivered.slice(before).some(({ payload }) => isEnd(payload))).catch(
    async () => {
      const { json } = await world.house.person('/sessions')
      throw new Error(`no phone rang: ${JSON.stringify(json)}\n${await terminal.screen()}`)
    },
  )
  const { json } = await world.house.person('/sessions')
  const session = (json.sessions as Session[]).find(({ status }) => status === 'finished')
  if (!session) throw new Error(`no session has finished: ${JSON.stringify(json)}`)
  return session
}

type Pushed = { notification: Record<string, unknown> }

function isEnd({ notification }: Pushed, outcome = 'finished'): boolean {
  return String(notification.title).includes(`${outcome} in shop-api`)
}

async function atTerminal(
  stage: Stage,
  play: (terminal: Terminal) => Promise<string>,
): Promise<string> {
  const { driver, world, model, binary } = stage
  const sitDown = driver.sitDown ?? driver.openPrompt
  if (!sitDown) return ALONE
  // The turns of a stand-in are short, and somebody typed just before.
  await world.house.setPolicy({ turnMs: 1 })
  model.plan([])
  await using terminal = await sitDown(world, model, binary)
  return await play(terminal)
}
