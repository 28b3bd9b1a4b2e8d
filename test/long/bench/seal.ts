import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import { type Beckon, inTurn, startBeckon } from './beckon.ts'
import { type Answerer, signIn } from './person.ts'
import { median, processorMs } from './process.ts'
import type { Row } from './row.ts'

const ROUNDS = 7
// Longer than the ten seconds after which the server seals again.
const TURN_MS = 12_000
const PACE_MS = 20
const WORKERS = 8
const SEALED_WITHIN_MS = 120_000

/** What one turn took, in milliseconds; `cpuMs` is the server's, for one question and its answer. */
type Turn = { ask: number; answer: number; perSecond: number; cpuMs: number; laterMs: number }
type Side = { beckon: Beckon; person: Answerer; token(): string }

/**
 * Asking and answering beside a server that signs no receipts and seals nothing, in turns: fifty a
 * second, where the time of a call counts, and as many as it can, where the work does.
 */
export async function measureSeal(): Promise<Row[]> {
  await using sealing = await startBeckon()
  await using bare = await startBeckon({}, sealNothing)
  const sides = { on: await side(sealing), off: await side(bare) }
  return [
    ...rowsOf('50 questions a second, asked and answered', await inTurns(sides, paced)),
    ...rowsOf('as many questions as it can, asked and answered', await inTurns(sides, flatOut)),
  ]
}

async function side(beckon: Beckon): Promise<Side> {
  return { beckon, person: await signIn(beckon), token: inTurn(beckon.tokens) }
}

// Another process has the lease until the end of time, and no decision is noted to be signed.
function sealNothing(folder: string): void {
  using db = new Database(join(folder, 'beckon.db'))
  const lease = db.query('insert into leases (name, holder, until) values (?, ?, ?)')
  lease.run('seal-audit', 'nobody', Number.MAX_SAFE_INTEGER)
  db.run(`create trigger no_receipts before insert on unsigned_receipts
    begin select raise(ignore); end`)
}

type Turns = Record<'on' | 'off', Turn[]>
type Work = (side: Side, until: number, pair: () => Promise<void>) => Promise<void>

async function inTurns(sides: Record<'on' | 'off', Side>, work: Work): Promise<Turns> {
  const turns: Turns = { on: [], off: [] }
  for (let round = 0; round <= ROUNDS; round++) {
    for (const which of round % 2 === 0 ? (['on', 'off'] as const) : (['off', 'on'] as const)) {
      const turn = await takeTurn(sides[which], work, which === 'on')
      // The first is for warming up.
      if (round > 0) turns[which].push(turn)
    }
  }
  return turns
}

async function takeTurn(side: Side, work: Work, seals: boolean): Promise<Turn> {
  const asks: number[] = []
  const answers: number[] = []
  const { pid, folder } = side.beckon
  const before = await processorMs(pid)
  const began = performance.now()
  await work(side, began + TURN_MS, async () => {
    const [id, asking] = await timed(() => ask(side))
    const [, answering] = await timed(() => side.person.answer(id))
    asks.push(asking)
    answers.push(answering)
  })
  const tookMs = performance.now() - began
  const cpuMs = (await processorMs(pid)) - before
  if (seals) await allSealed(folder)
  const later = (await processorMs(pid)) - before - cpuMs
  const pairs = asks.length
  return {
    ask: median(asks),
    answer: median(answers),
    perSecond: (pairs * 1_000) / tookMs,
    cpuMs: cpuMs / pairs,
    laterMs: later / pairs,
  }
}

/** One pair after another begins at its time, whether or not those before have ended. */
async function paced(_: Side, until: number, pair: () => Promise<void>): Promise<void> {
  const under: Promise<void>[] = []
  for (let next = performance.now(); next < until; next += PACE_MS) {
    await Bun.sleep(Math.max(0, next - performance.now()))
    under.push(pair())
  }
  await Promise.all(under)
}

async function flatOut(_: Side, until: number, pair: () => Promise<void>): Promise<void> {
  const worker = async () => {
    while (performance.now() < until) await pair()
  }
  await Promise.all(Array.from({ length: WORKERS }, worker))
}

async function ask({ beckon, token }: Side): Promise<string> {
  const response = await fetch(`${beckon.url}/api/v1/questions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token()}`, 'content-type': 'application/json' },
    body: JSON.stringify({ question: 'Deploy?', requestId: crypto.randomUUID(), wait: false }),
  })
  const { correlationId } = (await response.json()) as { correlationId?: string }
  if (correlationId === undefined) throw new Error(`a question was answered ${response.status}`)
  return correlationId
}

async function timed<T>(work: () => Promise<T>): Promise<[T, number]> {
  const began = performance.now()
  const value = await work()
  return [value, performance.now() - began]
}

/** What a turn left is done before the next one begins, and counts. */
async function allSealed(folder: string): Promise<void> {
  using db = new Database(join(folder, 'beckon.db'), { readonly: true })
  const left = db.query<{ left: number }, []>(
    `select exists (select 1 from questions where ended_seal is null) or
      exists (select 1 from unsigned_receipts) or exists (select 1 from audit where seal is null) as left`,
  )
  const until = performance.now() + SEALED_WITHIN_MS
  while (left.get()?.left !== 0) {
    if (performance.now() > until) throw new Error('the trail was not sealed in two minutes')
    await Bun.sleep(100)
  }
}

function rowsOf(what: string, { on, off }: Turns): Row[] {
  const of = (turns: Turn[], name: keyof Turn) => median(turns.map((turn) => turn[name]))
  const row = (name: keyof Turn, words: string, unit: string, digits: number): Row => ({
    what: `${what}: ${words}`,
    figure: `${of(on, name).toFixed(digits)} ${unit} (${spread(on, name, digits)})`,
    beside: `nothing sealed or signed: ${of(off, name).toFixed(digits)} ${unit} (${spread(off, name, digits)})`,
    ratio: of(on, name) / of(off, name),
    must: undefined,
  })
  const later = `${of(on, 'laterMs').toFixed(2)} ms afterwards`
  return [
    row('ask', 'a question, p50', 'ms', 2),
    row('answer', 'an answer, p50', 'ms', 2),
    row('perSecond', 'pairs', 'a second', 0),
    row('cpuMs', `the server's processor time for a pair, and ${later}`, 'ms', 2),
  ]
}

/** The lowest and the highest turn. */
function spread(turns: Turn[], name: keyof Turn, digits: number): string {
  const values = turns.map((turn) => turn[name]).sort((a, b) => a - b)
  return `${values[0]?.toFixed(digits)} to ${values.at(-1)?.toFixed(digits)}`
}
