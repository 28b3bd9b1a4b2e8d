import { expect, test } from 'bun:test'
import { SEED } from '../../support/seed.ts'
import { serverProcess } from '../../support/server-process.ts'
import { howOften, isLong } from '../../support/share.ts'
import { until } from '../../support/until.ts'
import { ask, type LoadOn, load } from './load.ts'
import { differences, type Ledger } from './oracle.ts'
import { seeded } from './random.ts'
import { readData } from './read-data.ts'
import { type CrashWorld, crashWorld, letClaimsRunOut, signIn } from './world.ts'

// The second asks again what the first one asked.
const ROUNDS = howOften(2, 30, 2)
const CONNECTIONS = 12
// Of the load before the kill.
const LONGEST_MS = isLong ? 2_500 : 1_000

/** Asks once more what was asked, as a client does that lost its reply. */
async function askAgain(on: LoadOn, { asks }: Ledger): Promise<string[]> {
  const wrong: string[] = []
  for (const [n, one] of asks.entries()) {
    const id = await ask(on, one, n % 2 === 0)
    if (one.id !== undefined && one.id !== id) wrong.push(`asked twice: ${one.id}, ${id}`)
    one.id = id
  }
  return wrong
}

/** Waits for every callback and message that a client was told of; names what never came. */
async function arrived({ receiver, push }: CrashWorld, rounds: Ledger[]): Promise<string[]> {
  const asks = rounds.flatMap((round) => round.asks)
  const answers = asks.filter(({ callback, ended }) => callback && ended?.status === 'answered')
  const titles = rounds.flatMap(({ notified }) => notified)
  const missing = () => {
    const posted = new Map(
      receiver.received.map(({ body }) => [JSON.parse(body).correlationId, body]),
    )
    const pushes = new Set(push.delivered.map(({ payload }) => payload.notification.title))
    return [
      ...answers
        .filter(({ id, ended }) => JSON.parse(posted.get(id) ?? '{}').value !== ended?.value)
        .map(({ id }) => `no callback: ${id}`),
      ...titles.filter((title) => !pushes.has(title)).map((title) => `no push: ${title}`),
    ]
  }
  await until(() => missing().length === 0).catch(() => {})
  return missing()
}

test(`what clients were told survives kill -9 at any moment (TEST_SEED=${SEED})`, async () => {
  await using world = await crashWorld()
  const random = seeded(SEED)
  const rounds: Ledger[] = []
  const sum = (of: (ledger: Ledger) => number) =>
    rounds.reduce((all, ledger) => all + of(ledger), 0)
  let port = 0
  let owner: Record<string, string> | undefined
  for (let round = 0; round < ROUNDS; round++) {
    await using server = await serverProcess(world.data, port)
    // The next one listens there too, as a service does: sessions go on.
    port = server.port
    owner ??= await signIn(server.url)
    const on: LoadOn = {
      url: server.url,
      agent: world.agent,
      owner,
      random,
      name: `r${round}`,
      callbackUrl: (path) => world.receiver.url(path, { status: 204 }),
    }
    // What the round before asked, answered or left in the air, is asked again under its keys.
    const before = rounds.at(-1)
    if (before) expect(await askAgain(on, before)).toEqual([])
    const loading = load(on, CONNECTIONS)
    await Bun.sleep(random.between(20, LONGEST_MS))
    await server.end('SIGKILL')
    const ledger = await loading
    rounds.push(ledger)
    const { questions, titles, integrity, miscounted } = readData(world.data)
    expect([integrity, miscounted]).toEqual([['ok'], []])
    for (const one of rounds) expect(differences(one, questions, titles)).toEqual([])
    letClaimsRunOut(world.data)
  }
  await using last = await serverProcess(world.data, port)
  expect(await arrived(world, rounds)).toEqual([])
  const keys = readData(world.data).questions.map(({ key }) => key)
  expect(new Set(keys).size).toBe(keys.length)
  expect(sum(({ acknowledged }) => acknowledged)).toBeGreaterThan(0)
  expect((await last.end('SIGTERM')).code).toBe(0)
  if (isLong) {
    const [calls, good] = [sum((ledger) => ledger.operations), sum((ledger) => ledger.acknowledged)]
    console.log(`${ROUNDS} rounds, ${calls} calls, ${good} acknowledged, ${keys.length} questions`)
  }
}, 1_200_000)
