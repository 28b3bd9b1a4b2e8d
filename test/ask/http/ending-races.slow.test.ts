import { Database } from 'bun:sqlite'
import { expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { MCP_PATH } from '../../../src/ask/mcp/route.ts'
import { type Random, seeded } from '../../long/crash/random.ts'
import { type CrashWorld, crashWorld, signIn } from '../../long/crash/world.ts'
import { rawPost } from '../../support/raw-post.ts'
import { SEED } from '../../support/seed.ts'
import { serverProcess } from '../../support/server-process.ts'

// A whole process and many connections on a busy machine.
setDefaultTimeout(60_000)

const ROUNDS = 12
const EACH = 6
const SORTS = 4

type Outcome = { status: string; value?: string }
type Reply = { status: number; body: Record<string, unknown> }
type World = { url: string; agent: Record<string, string>; browsers: Array<Record<string, string>> }

/** One call over a connection of its own. */
async function call(url: string, headers: Record<string, string>, body: object): Promise<Reply> {
  const accept = 'application/json, text/event-stream'
  const text = await rawPost(url, body, { accept, ...headers }).response
  const status = Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1])
  const json = /^\{.*\}$/m.exec(text)?.[0] ?? /^data: (.*)$/m.exec(text)?.[1] ?? '{}'
  return { status, body: JSON.parse(json) }
}

/** What a caller was told: that its own move won, and what holds. */
type Heard = { won: boolean; outcome: Outcome }

function outcomeIn(result: Record<string, unknown>): Outcome {
  const { status, value } = result as Outcome
  return { status, ...(value === undefined ? {} : { value }) }
}

function moves({ url, agent, browsers }: World, id: string): Array<() => Promise<Heard>> {
  const at = `${url}/api/v1/questions/${id}`
  const person = async (headers: Record<string, string>, path: string, body: object) => {
    const { status, body: reply } = await call(at + path, headers, body)
    expect([200, 409]).toContain(status)
    const outcome = status === 200 ? reply : (reply.outcome as Record<string, unknown>)
    return { won: status === 200, outcome: outcomeIn(outcome) }
  }
  const [first = {}, second = {}] = browsers
  const overMcp = async () => {
    const params = { name: 'cancel_question', arguments: { correlationId: id } }
    const rpc = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
    const { result } = (await call(url + MCP_PATH, agent, rpc)).body as {
      result: { structuredContent: Record<string, unknown> }
    }
    const content = result.structuredContent
    return { won: content.cancelled === true, outcome: outcomeIn(content) }
  }
  return [
    () => person(first, '/answer', { value: 'yes' }),
    () => person(second, '/answer', { value: 'no' }),
    () => person(second, '/stop', {}),
    overMcp,
  ]
}

/** All at once, but for one sort that is a little ahead: else the shortest way would always win. */
function started(contenders: Array<() => Promise<Heard>>, round: number, random: Random) {
  const ahead = round % SORTS
  const lead = random.between(0, 50)
  return contenders.map(async (move, n) => {
    if (n % SORTS !== ahead) await Bun.sleep(lead + random.between(0, 12))
    return await move()
  })
}

async function held(world: World, question: string, data: string, expires: boolean) {
  const ask = (body: object) => call(`${world.url}/api/v1/questions`, world.agent, body)
  const reply = await ask({ question, requestId: question, wait: false })
  const id = String(reply.body.correlationId)
  // Two agents wait for it while it is decided.
  const waits = [0, 1].map(() => ask({ question, requestId: question, timeoutMs: 20_000 }))
  if (expires) {
    using db = new Database(join(data, 'beckon.db'))
    db.run('pragma busy_timeout = 5000')
    db.run('update questions set expires_at = ? where id = ?', [Date.now() + 12, id])
  }
  return { id, waits }
}

async function openWorld(crash: CrashWorld, url: string): Promise<World> {
  const browsers = [await signIn(url), await signIn(url)]
  return { url, agent: crash.agent, browsers }
}

// spec: QS-STATES
test(`of answers in two browsers, cancels, stops and expiry at once one wins, and all hear of it (TEST_SEED=${SEED})`, async () => {
  await using crash = await crashWorld()
  await using server = await serverProcess(crash.data)
  const world = await openWorld(crash, server.url)
  const random = seeded(SEED)
  const ends = new Set<string>()
  for (let round = 0; round < ROUNDS; round++) {
    const expires = round % 3 === 2
    const { id, waits } = await held(world, `Round ${round}?`, crash.data, expires)
    const contenders = Array.from({ length: EACH }, () => moves(world, id)).flat()
    const heard = await Promise.all(started(contenders, round, random))
    const outcomes = new Set(heard.map(({ outcome }) => JSON.stringify(outcome)))
    expect([...outcomes]).toHaveLength(1)
    const [outcome] = heard.map((one) => one.outcome)
    const winners = heard.filter(({ won }) => won)
    expect(winners).toHaveLength(outcome?.status === 'expired' ? 0 : 1)
    for (const { body } of await Promise.all(waits))
      expect(outcomeIn(body)).toEqual(outcome as Outcome)
    ends.add(JSON.stringify(outcome))
  }
  using db = new Database(join(crash.data, 'beckon.db'), { readonly: true })
  expect(db.query('select count(*) from questions').values()).toEqual([[ROUNDS]])
  expect(ends.size).toBeGreaterThan(1)
  expect((await server.end('SIGTERM')).code).toBe(0)
})
