import { tallyQuestions } from '../../../src/ask/asking/tally-questions.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import { fillWithEnded } from '../../support/old-rows.ts'
import {
  askMessage,
  inTurn,
  MCP_PATH,
  oldHeaders,
  oldMessage,
  openItsDatabase,
  startBeckon,
} from './beckon.ts'
import { builtBinary } from './binary.ts'
import type { LoadPlan } from './load.ts'
import { forget, lookAround, type Took } from './old-work.ts'
import { signIn } from './person.ts'
import { load, median, processorMs } from './process.ts'
import type { Row } from './row.ts'
import { startOnce } from './start.ts'

const OLD = { name: 'old', count: 1_000_000, fromDays: 89, untilDays: 8 }
// Both have the traffic of a week, so that both have as much to show.
const WEEK = { name: 'week', count: 2_000, fromDays: 7, untilDays: 0.1 }
const OPEN = 30
const ROUNDS = 7
const SECONDS = 1
const LIVES = 60
const STARTS = 7
const SLOWER_MAX = 1.2

type Beckon = Awaited<ReturnType<typeof inhabited>>
/** The same with the old questions and without, one right after the other. */
type Pair = { full: Took; empty: Took }

/** A server with a million questions that have ended, beside one without. */
export async function measureOld(): Promise<Row[]> {
  await using full = await inhabited((folder) => {
    const startedAt = performance.now()
    const filled = fillWithEnded(folder, OLD, Date.now())
    const seconds = Math.round((performance.now() - startedAt) / 1_000)
    console.error(`${Object.values(filled).reduce((a, b) => a + b)} old rows in ${seconds} s`)
  })
  await using empty = await inhabited(() => {})
  const both = { full, empty }
  const rows: Row[] = []
  for (const [what, path] of READS) {
    const pace = (beckon: Beckon) => read(beckon, path)
    rows.push(row(what, await alternately(ROUNDS, both, pace)))
  }
  rows.push(row('a question asked, answered and read', await alternately(LIVES, both, live)))
  rows.push(row('ask_user, wait:false, 32 connections', await alternately(ROUNDS, both, ask)))
  for (const beckon of [full, empty]) await beckon.stop()
  const folders = { full: full.folder, empty: empty.folder }
  rows.push(row('the looks of every second', await alternately(ROUNDS, folders, lookAround)))
  const binary = builtBinary()
  const start = async (folder: string) => ({ ms: await startOnce(binary, folder) })
  rows.push(row('compiled binary, start to /healthz', await alternately(STARTS, folders, start)))
  rows.push(row('forgetting what is too old, each', await alternately(ROUNDS, folders, forget)))
  return rows
}

const READS = [
  ['inbox over REST', '/api/v1/inbox'],
  ['inbox, the page', '/inbox'],
  ['activity over REST', '/api/v1/activity'],
  ['activity, the page', '/activity'],
  ['audit trail over REST', '/api/v1/audit'],
  ['audit trail, the page', '/audit'],
  ['sessions, the page', '/sessions'],
] as const

function row(what: string, pairs: Pair[]): Row {
  return {
    what: `1,000,000 old questions: ${what}`,
    figure: medianText(pairs.map(({ full }) => full)),
    beside: `without them: ${medianText(pairs.map(({ empty }) => empty))}`,
    ratio: median(pairs.map(({ full, empty }) => full.ms / empty.ms)),
    must: { atMost: SLOWER_MAX },
  }
}

function medianText(all: Took[]): string {
  const [ms, cpuMs] = [all.map(({ ms }) => ms), all.flatMap(({ cpuMs }) => cpuMs ?? [])]
  const ofCore = cpuMs.length > 0 ? ` (${median(cpuMs).toFixed(3)} ms of a core)` : ''
  return `${median(ms).toFixed(3)} ms${ofCore}`
}

/** In turn, so that what else the machine does meets both; the first pair warms up. */
async function alternately<T>(
  rounds: number,
  { full, empty }: { full: T; empty: T },
  measure: (of: T) => Promise<Took>,
): Promise<Pair[]> {
  const pairs: Pair[] = []
  for (let round = 0; round <= rounds; round++) {
    const pair = { full: await measure(full), empty: await measure(empty) }
    if (round > 0) pairs.push(pair)
  }
  return pairs
}

async function inhabited(fill: (folder: string) => void) {
  const beckon = await startBeckon({}, async (folder) => {
    fill(folder)
    fillWithEnded(folder, WEEK, Date.now())
    // As every five minutes: a page that is read before has to count itself.
    await using db = await openItsDatabase(folder, {})
    await tallyQuestions({ db, clock, holder: 'bench' })
  })
  const { tokens } = beckon
  const inhabited = Object.assign(beckon, { person: await signIn(beckon), token: inTurn(tokens) })
  for (let i = 0; i < OPEN; i++) await call(inhabited, askMessage({ wait: false }))
  return inhabited
}

async function call({ url, token }: Beckon, body: string): Promise<string> {
  const request = { method: 'POST', headers: oldHeaders(token()), body }
  return (await fetch(url + MCP_PATH, request)).text()
}

async function read(beckon: Beckon, path: string): Promise<Took> {
  const headers = { cookie: beckon.person.cookie }
  return paced(beckon, { url: beckon.url + path, method: 'GET', headers, connections: 2 })
}

async function ask(beckon: Beckon): Promise<Took> {
  const { url, tokens } = beckon
  const body = askMessage({ wait: false })
  const headers = oldHeaders()
  return paced(beckon, { url: url + MCP_PATH, headers, tokens, body, connections: 32 })
}

/** What one of many requests takes. */
async function paced({ pid }: Beckon, plan: Omit<LoadPlan, 'seconds'>): Promise<Took> {
  const cpuBefore = await processorMs(pid)
  const { perSecond, failed } = await load({ ...plan, seconds: SECONDS })
  if (failed > 0) throw new Error(`${failed} requests failed at ${plan.url}`)
  const cpuMs = (await processorMs(pid)) - cpuBefore
  return { ms: 1_000 / perSecond, cpuMs: cpuMs / (perSecond * SECONDS) }
}

/** From the ask to the answer in the agent's hands. */
async function live(beckon: Beckon): Promise<Took> {
  const startedAt = performance.now()
  const reply = await call(beckon, askMessage({ wait: false }))
  const correlationId = /q_[0-9a-z]{25}/.exec(reply)?.[0] ?? ''
  await beckon.person.answer(correlationId)
  const args = { name: 'wait_for_answer', arguments: { correlationId } }
  const text = await call(beckon, oldMessage('tools/call', args))
  if (!text.includes('answered')) throw new Error(`the answer did not arrive: ${text}`)
  return { ms: performance.now() - startedAt }
}
