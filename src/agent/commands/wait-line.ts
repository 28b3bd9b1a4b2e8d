import { createLiveLine, lineWidth, remainingTime } from '../../platform/terminal/live-line.ts'
import { isTerminal } from '../../platform/terminal/terminal.ts'
import type { ApiClient } from '../api-client.ts'

// Phones may be notified later than browsers.
const LOOK_MS = 5_000
const FIRST_LOOK_MS = 500
const DRAW_MS = 1_000

/** Counts of devices and chat channels (`GET /api/v1/questions/ID/delivery`). */
type Reached = { accepted: number; addressed: number }

/**
 * Shows on standard error, if that is a terminal, what is known of a question while it is waited for:
 * how many devices it was sent to, the time left of `ms`, and where it can be answered. What the
 * server does not say is left out.
 */
export function showWait(
  client: ApiClient,
  id: string,
  { ms, answerUrl }: { ms: number | undefined; answerUrl: string | undefined },
): Disposable {
  if (!isTerminal(2)) return { [Symbol.dispose]() {} }
  const endsAt = ms === undefined ? undefined : performance.now() + ms
  const live = createLiveLine()
  const stopped = new AbortController()
  let reached: Reached | undefined

  async function look() {
    try {
      const path = `/questions/${encodeURIComponent(id)}/delivery`
      reached = await client.call<Reached>('GET', path, { signal: stopped.signal })
    } catch {
      // The wait itself says what is wrong; an older server does not have this.
      reached = undefined
    }
    if (!stopped.signal.aborted) draw()
  }
  function draw() {
    const left = endsAt === undefined ? undefined : endsAt - performance.now()
    live.show(waitText({ reached, left, answerUrl }, lineWidth()))
  }

  draw()
  const looks = [setTimeout(look, FIRST_LOOK_MS), setInterval(look, LOOK_MS)]
  const draws = setInterval(draw, DRAW_MS)
  return {
    [Symbol.dispose]() {
      stopped.abort()
      for (const timer of [...looks, draws]) clearInterval(timer)
      live.clear()
    },
  }
}

/** What is known, in the order of its use; an address that does not fit whole is left out. */
function waitText(
  {
    reached,
    left,
    answerUrl,
  }: { reached: Reached | undefined; left: number | undefined; answerUrl: string | undefined },
  columns: number,
): string {
  const facts = [
    ...(reached ? [reachedText(reached)] : ['Waiting for the answer']),
    ...(left === undefined ? [] : [`${remainingTime(left)} left`]),
  ].join(' · ')
  const whole = `${facts} · ${answerUrl}`
  return answerUrl !== undefined && Bun.stringWidth(whole) <= columns ? whole : facts
}

function reachedText({ accepted, addressed }: Reached): string {
  if (addressed === 0) return 'Sent to no device'
  return `Rang ${accepted} of ${addressed} ${addressed === 1 ? 'device' : 'devices'}`
}
