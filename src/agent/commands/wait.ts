import { setTimeout as pause } from 'node:timers/promises'
import { WAIT_MAX_MS, WAIT_MIN_MS, WINDOW_MS } from '../../ask/wire/limits.ts'
import { NEITHER, type OutcomeKind, outcomeKind } from '../../ask/wire/outcome-texts.ts'
import type { WaitResult } from '../../ask/wire/result-fields.ts'
import { EXIT } from '../../platform/command.ts'
import type { ReadClientConfig } from '../../platform/config/config-reader.ts'
import { WrongUsage } from '../../platform/failure.ts'
import { readArguments } from '../../platform/terminal/arguments.ts'
import { Interrupted } from '../../platform/terminal/interrupted.ts'
import { note, say } from '../../platform/terminal/terminal.ts'
import { cleanLine, cleanText } from '../../platform/text.ts'
import { type ApiClient, asClient, NoService } from '../api-client.ts'
import { showWait } from './wait-line.ts'

// A server that closes sends everybody home early; ask again this much later.
const AGAIN_MS = 1_000
// While a server is away: soon at first, then less and less often.
const AWAY_FIRST_MS = 250
const AWAY_MOST_MS = 5_000

/**
 * Waits up to `ms` for the end of a question, in calls of at most 55 seconds; it waits for a server
 * that restarts meanwhile. Without `ms` one call waits as long as the server's policy says; if the
 * server goes away meanwhile, it is waited for as long as any policy may allow. Throws `NoService`;
 * after a wait without success the error names the command that continues.
 */
export async function pollUntilEnd(
  client: ApiClient,
  id: string,
  ms: number | undefined,
  signal: AbortSignal,
): Promise<WaitResult> {
  const endsAt = ms === undefined ? Number.POSITIVE_INFINITY : performance.now() + ms
  let retryUntil = endsAt
  let away = AWAY_FIRST_MS
  for (;;) {
    const remainingMs = ms === undefined ? undefined : endsAt - performance.now()
    const result = await oneCall(client, id, remainingMs, signal)
    const now = performance.now()
    if (result instanceof NoService) {
      // The server was never there: a wrong address is more likely than a restart.
      const isRestart = result.lost || Number.isFinite(retryUntil)
      if (!result.passing || !isRestart) throw result
      if (retryUntil === Number.POSITIVE_INFINITY) retryUntil = now + WAIT_MAX_MS
      if (now >= retryUntil) throw inVain(result, id)
      await pause(Math.min(away, retryUntil - now), undefined, { signal })
      away = Math.min(away * 2, AWAY_MOST_MS)
      continue
    }
    if (result.status !== 'pending' || ms === undefined || now >= endsAt) return result
    away = AWAY_FIRST_MS
    await pause(AGAIN_MS, undefined, { signal })
  }
}

function inVain(error: NoService, id: string): NoService {
  const sentence = `${error.what}; the question stays open. Go on waiting for the answer with: beckon wait ${cleanLine(id)}`
  return new NoService(sentence, { passing: true, cause: error })
}

async function oneCall(
  client: ApiClient,
  id: string,
  remainingMs: number | undefined,
  signal: AbortSignal,
): Promise<WaitResult | NoService> {
  const heldMs = Math.round(
    Math.min(Math.max(remainingMs ?? WAIT_MAX_MS, WAIT_MIN_MS), WAIT_MAX_MS),
  )
  const query = remainingMs === undefined ? '' : `?timeoutMs=${heldMs}`
  const path = `/questions/${encodeURIComponent(id)}${query}`
  try {
    return await client.call<WaitResult>('GET', path, { heldMs, signal })
  } catch (error) {
    if (error instanceof NoService) return error
    throw error
  }
}

/**
 * Waits, prints how the question ended and resolves to the exit code; Ctrl-C leaves the question
 * open.
 */
export async function waitAndShow(
  client: ApiClient,
  id: string,
  options: { ms: number | undefined; json: boolean; answerUrl?: string | undefined },
): Promise<number> {
  const interrupt = new AbortController()
  const onInterrupt = () => interrupt.abort()
  process.once('SIGINT', onInterrupt)
  try {
    return showEnd(await waitWatched(client, id, options, interrupt.signal), options.json)
  } catch (error) {
    if (!interrupt.signal.aborted) throw error
    note(`The question stays open; collect its answer with: beckon wait ${id}`)
    throw new Interrupted()
  } finally {
    process.off('SIGINT', onInterrupt)
  }
}

async function waitWatched(
  client: ApiClient,
  id: string,
  { ms, answerUrl }: { ms: number | undefined; answerUrl?: string | undefined },
  signal: AbortSignal,
): Promise<WaitResult> {
  using _line = showWait(client, id, { ms, answerUrl })
  return await pollUntilEnd(client, id, ms, signal)
}

/** The value alone on standard output, everything else on standard error. */
function showEnd(result: WaitResult, json: boolean): number {
  if (json) say(JSON.stringify(result))
  else if (result.value !== undefined) say(result.value)
  const summary =
    result.status === 'answered'
      ? result.note && `Note: ${indented(result.note)}`
      : ENDS[result.status](cleanLine(result.correlationId), kindOf(result))
  if (summary) note(summary)
  return exitOf(result)
}

/** A note may have several lines; none of them may look like one of our own. */
function indented(text: string): string {
  return cleanText(text).replace(/[\n\u2028\u2029]/g, '\n  ')
}

function kindOf({ type, contract }: WaitResult): OutcomeKind {
  return outcomeKind({ type, isScope: contract !== undefined })
}

type End = (id: string, kind: OutcomeKind) => string

const ENDS: Record<Exclude<WaitResult['status'], 'answered'>, End> = {
  pending: (id) =>
    `No answer yet; the question stays open. Collect its answer with: beckon wait ${id}`,
  expired: (_, kind) => `Nobody answered in time, ${NEITHER[kind]}. The question has expired.`,
  cancelled: (_, kind) => `The question was withdrawn, ${NEITHER[kind]}.`,
  stopped: () => 'The person wants you to stop.',
  notified: () => 'It was only sent as a notification; there is no answer to wait for.',
  terminal: () => 'Questions are only asked in the terminal now; there is no answer to wait for.',
  missing: (id) => `The server knows no question ${id}; check the id and the token.`,
  unavailable: (id) => `The server cannot look right now. Try again with: beckon wait ${id}`,
}

function exitOf({ status, type, value }: WaitResult): number {
  switch (status) {
    case 'answered':
      return type === 'confirm' && value === 'no' ? EXIT.no : EXIT.done
    case 'cancelled':
    case 'stopped':
      return EXIT.cancelled
    case 'missing':
    case 'unavailable':
      return EXIT.unreachable
    default:
      return EXIT.noAnswer
  }
}

const UNITS = { ms: 1, s: 1_000, m: 60_000 } as const
const LEAST_MS = 1_000

/** `50s`, `2m` or `1500ms` in milliseconds. Throws `WrongUsage`. */
export function readTimeout(text: string): number {
  const [, digits, unit] = /^(\d{1,7}(?:\.\d{1,3})?)(ms|s|m)$/.exec(text) ?? []
  const ms = Math.round(Number(digits) * UNITS[(unit ?? 'ms') as keyof typeof UNITS])
  // A question lives ten minutes: nobody can wait longer for it.
  if (ms >= LEAST_MS && ms <= WINDOW_MS) return ms
  throw new WrongUsage('--timeout must be a time from 1s to 10m, like 50s, 2m or 1500ms.')
}

/** `beckon wait`: collects the answer to a question that is already open. */
export async function wait(args: string[], readClientConfig: ReadClientConfig): Promise<number> {
  const flags = readArguments(args, { timeout: { type: 'string' }, json: { type: 'boolean' } }, [
    'CORRELATION_ID',
  ])
  const ms = flags.timeout === undefined ? undefined : readTimeout(flags.timeout)
  const json = flags.json ?? false
  const id = readQuestionId(flags.CORRELATION_ID)
  return await asClient(readClientConfig, (client) => waitAndShow(client, id, { ms, json }))
}

/** The id of a question, as an argument. Throws `WrongUsage` if no address could contain it. */
export function readQuestionId(text: string): string {
  // Dots would lead to another address, and a script's empty variable to that of all questions.
  if (/[^.\s]/.test(text)) return text
  throw new WrongUsage(
    'CORRELATION_ID must be the id of a question, like q_1m86nxxpht81dmxn6qnrxbbb0.',
  )
}
