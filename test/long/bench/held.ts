import { join } from 'node:path'
import { openSqlite } from '../../../src/platform/db/sqlite.ts'
import {
  askMessage,
  type Beckon,
  inTurn,
  MCP_PATH,
  oldHeaders,
  oldMessage,
  startBeckon,
} from './beckon.ts'
import { connectDevices } from './devices.ts'
import { type HeldCall, hold } from './held-calls.ts'
import { type Answerer, signIn } from './person.ts'
import { residentBytes } from './process.ts'
import type { Row } from './row.ts'

const HELD = 10_000
const HELD_FOR_ANSWERS = 1_000
const ANSWERS = 400
const BYTES_EACH_MAX = 9 * 1024
const ANSWER_P99_MS = 15
// The server takes new connections in bursts of this size without refusing any.
const BURST = 100

type Holding = Beckon & { token(): string }

/** Ten thousand asks held at once: what each costs, that all wake, and how fast an answer arrives. */
export async function measureHeld(): Promise<Row[]> {
  using pushService = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () => new Response(null, { status: 201 }),
  })
  await using started = await startBeckon({ BECKON_ALLOW_PRIVATE_HOSTS: '127.0.0.1' })
  const beckon = Object.assign(started, { token: inTurn(started.tokens) })
  // One browser, so that the asks are sent to somebody and wait.
  await connectDevices(beckon, [`${pushService.url.origin}/push`])
  const answers = await measureAnswers(beckon, await signIn(beckon))
  const memory = await measureMemory(beckon)
  return [...memory, ...answers]
}

async function measureMemory(beckon: Holding): Promise<Row[]> {
  const before = await residentBytes(beckon.pid)
  const calls = await holdMany(beckon, HELD)
  await Bun.sleep(1_000)
  const after = await residentBytes(beckon.pid)
  const each = (after - before) / HELD

  const ids = await openQuestions(beckon)
  await Promise.all(ids.map((id) => cancel(beckon, id)))
  const woken = await Promise.allSettled(calls.map((call) => call.result))
  const awake = woken.filter((result) => result.status === 'fulfilled').length
  for (const call of calls) call.close()
  return [
    {
      what: '10,000 asks held at once: memory each, KiB',
      figure: `${(each / 1024).toFixed(1)} KiB`,
      beside: `process before: ${Math.round(before / 1024 / 1024)} MiB`,
      ratio: each / 1024,
      must: { atMost: BYTES_EACH_MAX / 1024 },
    },
    {
      what: '10,000 asks held at once: share that wakes',
      figure: `${awake} of ${HELD}`,
      beside: '–',
      ratio: awake / HELD,
      must: { atLeast: 1 },
    },
  ]
}

async function measureAnswers(beckon: Holding, person: Answerer): Promise<Row[]> {
  const calls = await holdMany(beckon, HELD_FOR_ANSWERS)
  const ids = await openQuestions(beckon)
  const times: number[] = []
  const arrivals = new Map<string, number>()
  for (const call of calls) {
    const arrived = (text: string) => {
      const id = /q_[0-9a-z]{25}/.exec(text)?.[0]
      if (id) arrivals.set(id, performance.now())
    }
    call.result.then(arrived, () => {})
  }
  for (const id of ids.slice(0, ANSWERS)) {
    const sentAt = performance.now()
    await person.answer(id)
    while (!arrivals.has(id)) await Bun.sleep(0)
    times.push((arrivals.get(id) ?? 0) - sentAt)
  }
  await Promise.all(ids.slice(ANSWERS).map((id) => cancel(beckon, id)))
  await Promise.allSettled(calls.map((call) => call.result))
  for (const call of calls) call.close()
  times.sort((a, b) => a - b)
  const p99 = times[Math.floor(times.length * 0.99)] ?? 0
  const p50 = times[Math.floor(times.length * 0.5)] ?? 0
  return [
    {
      what: 'answer → reply with 1,000 held, p99 in ms',
      figure: `${p99.toFixed(1)} ms`,
      beside: `p50 ${p50.toFixed(1)} ms`,
      ratio: p99,
      must: { atMost: ANSWER_P99_MS },
    },
  ]
}

/** Asks that wait, `count` of them, whose idempotency keys begin with `name`. */
export async function holdMany(beckon: Holding, count: number, name = 'held'): Promise<HeldCall[]> {
  const url = new URL(beckon.url + MCP_PATH)
  const calls: HeldCall[] = []
  while (calls.length < count) {
    const burst = Array.from({ length: Math.min(BURST, count - calls.length) }, (_, i) =>
      hold(
        url,
        oldHeaders(beckon.token()),
        askMessage({ timeoutMs: 55_000, requestId: `${name}-${calls.length + i}-${count}` }),
      ),
    )
    calls.push(...(await Promise.all(burst)))
  }
  return calls
}

async function openQuestions(beckon: Holding): Promise<string[]> {
  await using db = openSqlite(join(beckon.folder, 'beckon.db'))
  const rows = await db.orm.all<[string]>("select id from questions where status = 'pending'")
  return rows.map(([id]) => id)
}

async function cancel(beckon: Holding, correlationId: string): Promise<void> {
  const body = oldMessage('tools/call', { name: 'cancel_question', arguments: { correlationId } })
  const response = await fetch(beckon.url + MCP_PATH, {
    method: 'POST',
    headers: oldHeaders(beckon.token()),
    body,
  })
  await response.text()
}
