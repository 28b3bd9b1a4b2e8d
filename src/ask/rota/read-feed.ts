import type { Fetched, GuardedFetch } from '../../platform/outgoing/guarded-fetch.ts'
import { WINDOW } from './model/feed-plan.ts'
import type { DueFeed, FeedReading } from './model/feed-store.ts'
import { readCalendar } from './read-calendar.ts'

const BYTES_MAX = 1_000_000
const TIMEOUT_MS = 20_000
const ETAG_MAX = 200

/**
 * Fetches a calendar and reads it; undefined if `signal` ended it. No sentence has the address, which
 * may hold a secret.
 */
export async function readFeed(
  { fetch }: Pick<GuardedFetch, 'fetch'>,
  { url, etag, zone }: Pick<DueFeed, 'url' | 'etag' | 'zone'>,
  at: number,
  signal: AbortSignal,
): Promise<FeedReading | undefined> {
  const fetched = await fetch(url, {
    headers: { accept: 'text/calendar', ...(etag !== undefined && { 'if-none-match': etag }) },
    ...{ signal, timeoutMs: TIMEOUT_MS, maxBytes: BYTES_MAX },
  })
  if (fetched.outcome === 'aborted') return undefined
  if (fetched.outcome !== 'answered') return failed(REASONS[fetched.outcome])
  if (fetched.status === 304 && etag !== undefined) return { is: 'same' }
  const problem = wrongReply(fetched)
  if (problem !== undefined) return failed(problem)
  const window = { from: at - WINDOW.beforeMs, to: at + WINDOW.afterMs }
  const calendar = await readCalendar(new TextDecoder().decode(fetched.body), zone, window)
  if ('problem' in calendar) return failed(calendar.problem)
  const tag = fetched.headers.get('etag') ?? ''
  const isTag = tag !== '' && tag.length <= ETAG_MAX
  return { is: 'read', shifts: calendar.shifts, etag: isTag ? tag : undefined }
}

const REASONS = {
  blocked:
    'this server must not reach its address unless BECKON_ALLOW_PRIVATE_HOSTS names the host',
  unreachable: 'its server could not be reached',
  timeout: 'its server did not answer in time',
} as const

function wrongReply({
  status,
  cut,
}: Extract<Fetched, { outcome: 'answered' }>): string | undefined {
  if (status >= 300 && status < 400)
    return `its server answered with ${status}, a redirect, which is not followed`
  if (status !== 200) return `its server answered with ${status}`
  if (cut === 'long') return 'it has more than a megabyte'
  return cut === 'broken' ? 'it broke off' : undefined
}

function failed(problem: string): FeedReading {
  return { is: 'failed', problem }
}
