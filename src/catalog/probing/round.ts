import { type Clock, isoTime, pause } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import type { GuardedRequest } from '../../platform/outgoing/guarded-fetch.ts'
import { isUp, type ProbeTarget } from '../facts/answers/fact.ts'
import { httpOutcome, mcpOutcome, type ProbeAttempt } from '../facts/answers/probe-attempt.ts'
import { factValue } from '../facts/facts.ts'
import { followed } from '../facts/follow.ts'
import { putFacts, readFacts } from '../measured/fact-store.ts'
import { addResult, dropResults, putTime, readLastResult } from '../measured/probe-store.ts'
import { forEachLimited } from './for-each-limited.ts'
import type { PoliteFetch } from './polite-fetch.ts'

export type RoundDeps = {
  db: Db
  clock: Clock
  outside: PoliteFetch
  /** An address that is always up; requested if something does not answer. */
  canary?: string | undefined
  signal?: AbortSignal
  random(): number
  /** Called before each address, with the first tool that it belongs to. */
  asking?(slug: string): void
  /** Called after each target. */
  asked?(done: number, of: number): void
}

/** A tool with its target. */
export type RoundTarget = ProbeTarget & { slug: string }

/** The result of a round. Nothing of a discarded one is stored. */
export type Round = {
  tried: ReadonlyMap<string, ProbeAttempt>
  /** Why it was discarded. */
  discarded?: string
}

/** The name under which the times of this measurement are stored. */
export const ROUND_NAME = 'answers'
/** The interval between probes of a tool. */
export const ROUND_EVERY_MS = 15 * 60_000
const JITTER = 0.1
const WIDTH = 12
const WRITTEN_AT_ONCE = 20

/**
 * Probes every target once, a shared address only once for all its tools, and stores the results.
 */
export async function runRound(deps: RoundDeps, targets: readonly RoundTarget[]): Promise<Round> {
  const { db, signal, outside, canary } = deps
  const tried = new Map<string, ProbeAttempt & { at: number }>()
  const byAddress = Map.groupBy(targets, ({ target, method }) => `${method} ${target}`)
  let done = 0
  const ask = async ([first, ...others]: RoundTarget[]) => {
    if (first) deps.asking?.(first.slug)
    const answer = first && (await askTarget(deps, first))
    const at = deps.clock.now()
    for (const one of first ? [first, ...others] : []) {
      if (answer) tried.set(one.slug, { ...answer, at })
      deps.asked?.(++done, targets.length)
    }
  }
  await forEachLimited(byAddress.values(), WIDTH, ask, signal)
  if (signal?.aborted) return { tried: new Map(), discarded: 'It was given up.' }
  const voters = await votersOf(deps, targets, tried)
  const anyDown = voters.some((voter) => isUp(voter.tried.outcome) === false)
  const canaryTarget =
    canary !== undefined && anyDown ? { target: canary, method: 'GET' } : undefined
  const sings = canaryTarget && isUp((await tryTarget({ outside }, canaryTarget)).outcome) === true
  const discarded = whyDiscarded(voters, sings)
  const results = targets.flatMap((target) => {
    const one = tried.get(target.slug)
    return one ? [{ ...target, ...one, dueAt: nextAt(deps, target.target) }] : []
  })
  for (let from = 0; from < results.length; from += WRITTEN_AT_ONCE) {
    const some = results.slice(from, from + WRITTEN_AT_ONCE)
    await db.write(async (tx) => {
      for (const one of some) await (discarded ? putOff(tx, one) : keep(tx, one))
    })
  }
  return { tried, ...(discarded === undefined ? {} : { discarded }) }
}

type StoredAttempt = RoundTarget & ProbeAttempt & { at: number; dueAt: number }

async function keep(tx: Tx, one: StoredAttempt): Promise<void> {
  const { slug, target, method, at, outcome, status, ms, authRequired, unknown } = one
  const before = (await readFacts(tx, slug)).find(({ subject }) => subject === 'probe')
  const previous = before && factValue('probe', before.value)
  if (previous && previous.target !== target) await dropResults(tx, slug)
  await putFacts(
    tx,
    slug,
    [{ subject: 'probe', value: { target, method, ...(unknown ? { unknown } : {}) } }],
    at,
  )
  const ok = isUp(outcome)
  const day = ok === undefined ? undefined : { date: isoTime(at).slice(0, 10), ok }
  await addResult(tx, { slug, at, outcome, status, ms, authRequired }, day)
  await putOff(tx, one)
}

async function putOff(tx: Tx, { slug, at, dueAt }: StoredAttempt): Promise<void> {
  await putTime(tx, { slug, probe: ROUND_NAME, ranAt: at, dueAt })
}

function nextAt({ clock, random, outside }: RoundDeps, target: string): number {
  const regular = clock.now() + jittered(ROUND_EVERY_MS, random)
  return Math.max(regular, outside.restsUntil(target) ?? 0)
}

/** The interval, up to a tenth shorter or longer, so that requests do not come on the hour. */
export function jittered(everyMs: number, random: () => number): number {
  return Math.round(everyMs * (1 - JITTER + 2 * JITTER * random()))
}

async function votersOf(
  { db }: RoundDeps,
  targets: readonly RoundTarget[],
  all: ReadonlyMap<string, ProbeAttempt>,
): Promise<Voter[]> {
  const voters: Voter[] = []
  for (const { slug, target } of targets) {
    const tried = all.get(slug)
    if (!tried) continue
    const last = await readLastResult(db.read, slug)
    voters.push({ target, tried, wasUp: last && isUp(last.outcome) })
  }
  return voters
}

/** One target of a round: its host, whether it was up before, and the result. */
type Voter = { target: string; wasUp: boolean | undefined; tried: ProbeAttempt }

// Two hosts can be down by chance; two of three are not.
const VOTERS_MIN = 3

/**
 * Why a round shows a fault of this machine rather than of the targets; undefined if it does not.
 * That is so if most of the hosts that were up are now down or, if none was up, every host is.
 * `canary` is whether the always-up address answered; undefined without one.
 */
function whyDiscarded(voters: readonly Voter[], canary: boolean | undefined): string | undefined {
  if (!voters.some(({ tried }) => isUp(tried.outcome) === false)) return undefined
  if (canary === false) return 'The canary does not answer, so the trouble is on this side.'
  const before = hostsOf(voters.filter(({ wasUp }) => wasUp))
  const [hosts, share] = before.size > 0 ? [before, 0.5] : [hostsOf(voters), 1]
  const down = [...hosts.values()].filter((isThere) => !isThere).length
  if (hosts.size < VOTERS_MIN || !isMost(down, hosts.size, share)) return undefined
  return `${down} of ${hosts.size} hosts do not answer, so the trouble is on this side.`
}

function isMost(down: number, all: number, share: number): boolean {
  return share === 1 ? down === all : down > all * share
}

/** Maps each host to true if anything of it answered. Hosts with unknown results only are left out. */
function hostsOf(voters: readonly Voter[]): Map<string, boolean> {
  const hosts = new Map<string, boolean>()
  for (const { target, tried } of voters) {
    const up = isUp(tried.outcome)
    if (up === undefined) continue
    const host = URL.parse(target)?.host ?? target
    hosts.set(host, up || (hosts.get(host) ?? false))
  }
  return hosts
}

/** Pauses between three attempts: a hiccup is over by the second, a restart by the third. */
const TRY_AGAIN_AFTER_MS = [5_000, 20_000]
// The body matters only for MCP.
const BODY_BYTES = 16 * 1024

// The smallest MCP request: it starts no session and makes no list.
const PING = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
const JSON_TYPE = 'application/json'

const REQUESTS: Record<string, GuardedRequest> = {
  GET: { method: 'GET' },
  HEAD: { method: 'HEAD' },
  POST: { method: 'POST', headers: { 'content-type': JSON_TYPE }, body: '{}' },
  mcp: {
    method: 'POST',
    headers: { 'content-type': JSON_TYPE, accept: `${JSON_TYPE}, text/event-stream` },
    body: PING,
  },
}

type Deps = { outside: Pick<PoliteFetch, 'fetch'>; clock: Clock; signal?: AbortSignal }

/** Asks once. */
export async function tryTarget(
  { outside }: Pick<Deps, 'outside'>,
  { target, method }: ProbeTarget,
): Promise<ProbeAttempt> {
  const request = REQUESTS[method] ?? { method: 'GET' }
  const fetched = await followed(outside, target, { ...request, maxBytes: BODY_BYTES })
  return method === 'mcp' ? mcpOutcome(fetched) : httpOutcome(fetched)
}

/**
 * Probes a tool up to three times, because it only counts as down if every attempt fails. Undefined
 * if it was cancelled.
 */
async function askTarget(deps: Deps, target: ProbeTarget): Promise<ProbeAttempt | undefined> {
  let tried = await tryTarget(deps, target)
  for (const wait of TRY_AGAIN_AFTER_MS) {
    if (isUp(tried.outcome) !== false) break
    await pause(deps.clock, wait, deps.signal)
    if (deps.signal?.aborted) break
    const next = await tryTarget(deps, target)
    if (isUp(next.outcome) === undefined) {
      // An answer that says that it is down holds; fewer than three failed connections do not.
      return deps.signal?.aborted || tried.status !== null ? tried : next
    }
    tried = next
  }
  return deps.signal?.aborted ? undefined : tried
}
