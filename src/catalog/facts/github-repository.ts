import { type Static, Type } from '@sinclair/typebox'
import { isoTime } from '../../platform/clock.ts'
import { shape } from '../../platform/schema.ts'
import type { Outside } from '../probing/probe.ts'
import { closed } from '../records/words.ts'
import { askJson, type JsonReply } from './ask-json.ts'
import type { HourlyBudget } from './hourly-budget.ts'
import { line, pastDay } from './read-words.ts'

const text = (maxLength: number) => Type.Optional(Type.String({ maxLength }))

/** What is known of a repository, and how to ask whether that is still so. */
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

export type Asked = { outside: Outside; budget: HourlyBudget; github: string; now: number }

/**
 * The repository as it is now; undefined when there is no request left for it, or no answer. Asks
 * only for what differs from `before`.
 */
export async function readRepository(
  { outside, budget, github, now }: Asked,
  repo: string,
  before: Repository | undefined,
): Promise<Repository | undefined> {
  if (!budget.take(now, 2)) return undefined
  const url = `${github}/repos/${repo}`
  const about = await askJson(outside, url, ABOUT, { headers: unless(before?.etag) })
  learn(budget, about, now)
  const repository = withAbout(repo, about, before, now)
  // Whoever says that it has had enough is not asked the second question either.
  if (!repository || !budget.take(now, 0)) return repository
  const headers = unless(before?.releaseEtag)
  const newest = await askJson(outside, `${url}/releases/latest`, RELEASE, { headers })
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
  const { since: _, etag: __, ...kept } = before ?? {}
  const since = before?.archived ? before.since : undefined
  return {
    ...kept,
    ...{ repo, stars, archived },
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
  const version = line(reply.value.tag_name, 100)
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
