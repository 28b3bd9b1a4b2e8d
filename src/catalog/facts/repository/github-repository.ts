import { type Static, Type } from '@sinclair/typebox'
import { isoTime } from '../../../platform/clock.ts'
import { readRetryAfter } from '../../../platform/outgoing/reply.ts'
import { shape } from '../../../platform/schema.ts'
import { closed } from '../../records/words.ts'
import type { ProbeNetwork } from '../fact.ts'
import { type JsonReply, oneLine, pastDay, readJsonAddress } from '../read-address.ts'

const text = (maxLength: number) => Type.Optional(Type.String({ maxLength }))

/** The known facts of a repository, with the ETags to ask whether it changed. */
export const Repository = closed({
  /** `OWNER/NAME`. */
  repo: Type.String({ maxLength: 300 }),
  stars: Type.Integer({ minimum: 0 }),
  archived: Type.Boolean(),
  /** When it was first seen archived. */
  since: text(40),
  version: text(100),
  released: text(10),
  etag: text(200),
  releaseEtag: text(200),
})
export type Repository = Static<typeof Repository>

const ETAG_CHARS_MAX = 200
const HEADERS = { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' }

const About = Type.Object({
  stargazers_count: Type.Integer({ minimum: 0 }),
  archived: Type.Boolean(),
})
const ABOUT = shape(About)
const Release = Type.Object({
  tag_name: Type.String({ minLength: 1, maxLength: 1_000 }),
  published_at: Type.Union([Type.String({ maxLength: 64 }), Type.Null()]),
})
const RELEASE = shape(Release)

export type GithubRequest = {
  outside: ProbeNetwork
  budget: HourlyBudget
  github: string
  now: number
}

/**
 * Reads the repository; undefined if no request is left or nothing answers. Sends the ETags of
 * `before`.
 */
export async function readRepository(
  { outside, budget, github, now }: GithubRequest,
  repo: string,
  before: Repository | undefined,
): Promise<Repository | undefined> {
  if (!budget.take(now, 2)) return undefined
  const url = `${github}/repos/${repo}`
  const about = await readJsonAddress(outside, url, ABOUT, { headers: unless(before?.etag) })
  learn(budget, about, now)
  const repository = withAbout(repo, about, before, now)
  // After a rate limit the second request is not sent.
  if (!repository || !budget.take(now, 0)) return repository
  const headers = unless(before?.releaseEtag)
  const newest = await readJsonAddress(outside, `${url}/releases/latest`, RELEASE, { headers })
  learn(budget, newest, now)
  return withRelease(repository, newest, now)
}

function unless(etag: string | undefined): Record<string, string> {
  return etag === undefined ? HEADERS : { ...HEADERS, 'if-none-match': etag }
}

function learn(budget: HourlyBudget, reply: JsonReply<unknown>, now: number) {
  const status = reply.outcome === 'unread' ? reply.status : undefined
  if (reply.headers) budget.learn(reply.headers, status ?? 200, now)
}

function withAbout(
  repo: string,
  reply: JsonReply<Static<typeof About>>,
  before: Repository | undefined,
  now: number,
): Repository | undefined {
  if (reply.outcome === 'unchanged') return before
  if (reply.outcome !== 'read') return undefined
  const { stargazers_count: stars, archived } = reply.value
  const { since: _, etag: __, ...rest } = before ?? {}
  const since = before?.archived ? before.since : undefined
  return {
    ...rest,
    repo,
    stars,
    archived,
    ...(archived ? { since: since ?? isoTime(now) } : {}),
    ...etagOf('etag', reply.headers),
  }
}

function withRelease(
  repository: Repository,
  reply: JsonReply<Static<typeof Release>>,
  now: number,
): Repository {
  if (reply.outcome !== 'read' && reply.outcome !== 'absent') return repository
  const { version: _, released: __, releaseEtag: ___, ...bare } = repository
  if (reply.outcome === 'absent') return bare
  const version = oneLine(reply.value.tag_name, 100)
  const released = pastDay(reply.value.published_at, now)
  return {
    ...bare,
    ...(version ? { version } : {}),
    ...(released ? { released } : {}),
    ...etagOf('releaseEtag', reply.headers),
  }
}

function etagOf(name: 'etag' | 'releaseEtag', headers: Headers) {
  const etag = headers.get('etag')
  return etag && etag.length <= ETAG_CHARS_MAX ? { [name]: etag } : {}
}

/** A budget of requests for a service that counts them by the hour. */
type HourlyBudget = {
  /** Takes requests from the budget; false if not enough are left. */
  take(now: number, requests: number): boolean
  /** Reads the service's own count from its headers. */
  learn(headers: Headers, status: number, now: number): void
}

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
const LIMITED = new Set([403, 429])

/**
 * Allows `most` requests an hour, and none until `X-RateLimit-Reset` once the service reports only
 * `reserve` left or a rate limit. A rest takes between a minute and a little more than an hour,
 * whatever the service's clock says.
 */
export function createHourlyBudget(most: number, reserve: number): HourlyBudget {
  let budget = most
  let fullAgain = 0
  let restsUntil = 0

  function rest(now: number, ms: number) {
    restsUntil = now + Math.min(Math.max(ms, MINUTE_MS), HOUR_MS + MINUTE_MS)
  }

  return {
    take(now, requests) {
      if (now >= fullAgain || fullAgain > now + HOUR_MS) {
        budget = most
        fullAgain = now + HOUR_MS
      }
      // A clock that was set back must not prolong the rest.
      const rests = now < restsUntil && restsUntil <= now + HOUR_MS + MINUTE_MS
      if (rests || budget < requests) return false
      budget -= requests
      return true
    },
    learn(headers, status, now) {
      const remaining = countOf(headers.get('x-ratelimit-remaining'))
      const resets = countOf(headers.get('x-ratelimit-reset'))
      if (remaining !== undefined && remaining <= reserve) {
        rest(now, resets === undefined ? HOUR_MS : resets * 1_000 - now)
      } else if (LIMITED.has(status)) {
        rest(now, readRetryAfter(headers.get('retry-after'), now) ?? MINUTE_MS)
      }
    },
  }
}

function countOf(header: string | null): number | undefined {
  return header !== null && /^\d{1,15}$/.test(header) ? Number(header) : undefined
}
