import type { Clock } from '../../platform/clock.ts'
import type { Fetched, GuardedRequest } from '../../platform/outgoing/guarded-fetch.ts'

/**
 * The rules of a robots.txt (RFC 9309). Not `robots-parser`: a hostile file of 256 KB takes it two
 * seconds for each path, and this 15 ms.
 */
export type Robots = {
  /** True if a path with its query may be requested. */
  allows(path: string): boolean
}

const EVERYTHING_ALLOWED: Robots = { allows: () => true }

// Every rule is tried for every path.
const RULES_MAX = 500
const PATTERN_MAX = 500
const STARS_MAX = 20

type Rule = { allow: boolean; pattern: string; parts: string[]; ends: boolean }

/**
 * The rules for `agent` (a name without version, in any case), or else those for `*`. The longest
 * rule that fits decides; of two that are equally long, `allow` does.
 */
export function readRobots(text: string, agent: string): Robots {
  const rules = rulesFor(text, agent.toLowerCase())
  return {
    allows(path) {
      if (path === '/robots.txt') return true
      const fitting = rules.filter((rule) => fits(rule, path))
      const longest = Math.max(0, ...fitting.map(({ pattern }) => pattern.length))
      const deciding = fitting.filter(({ pattern }) => pattern.length === longest)
      return deciding.length === 0 || deciding.some(({ allow }) => allow)
    },
  }
}

function rulesFor(text: string, agent: string): Rule[] {
  const groups = new Map<string, Rule[]>()
  let names: string[] = []
  let inRules = false
  for (const line of text.split(/\r\n|\r|\n/)) {
    const [, field = '', value = ''] = /^\s*([a-z-]+)\s*:\s*([^#]*)/i.exec(line) ?? []
    const entry = value.trim()
    if (/^user-agent$/i.test(field)) {
      if (inRules) names = []
      inRules = false
      names.push(nameIn(entry))
      for (const name of names) groups.set(name, groups.get(name) ?? [])
    } else if (/^(dis)?allow$/i.test(field)) {
      inRules = true
      const ends = entry.endsWith('$')
      const parts = (ends ? entry.slice(0, -1) : entry).split('*')
      if (entry === '' || entry.length > PATTERN_MAX || parts.length > STARS_MAX) continue
      const rule = { allow: /^allow$/i.test(field), pattern: entry, parts, ends }
      for (const name of new Set(names)) groups.get(name)?.push(rule)
    }
  }
  return (groups.get(agent) ?? groups.get('*') ?? []).slice(0, RULES_MAX)
}

/** `Beckon/1.0 (…)` names `beckon`. */
function nameIn(text: string): string {
  return text === '*' ? '*' : (/^[a-z_-]+/i.exec(text)?.[0] ?? '').toLowerCase()
}

/** `*` stands for anything, `$` at the end for the end; never slower than both lengths multiplied. */
function fits({ parts, ends }: Rule, path: string): boolean {
  const [first = '', ...rest] = parts
  if (!path.startsWith(first)) return false
  const last = ends ? rest.pop() : undefined
  let at = first.length
  for (const part of rest) {
    const foundAt = path.indexOf(part, at)
    if (foundAt < 0) return false
    at = foundAt + part.length
  }
  if (!ends) return true
  if (last === undefined) return at === path.length
  return path.length - last.length >= at && path.endsWith(last)
}

// Read again after a day, or after an hour if it could not be read.
const KEPT_MS = 24 * 3_600_000
const AGAIN_MS = 3_600_000
const BYTES_MAX = 512 * 1024
const REDIRECTS_MAX = 5
const ORIGINS_MAX = 10_000

type Ask = (url: URL, request: GuardedRequest) => Promise<Fetched>

/** The rules of each origin for `agent`, read at most once a day. Never throws. */
export function createRobotsCache(clock: Clock, agent: string, ask: Ask) {
  const cache = new Map<string, { until: number; robots: Promise<Robots> }>()
  return {
    async of(origin: string): Promise<Robots> {
      const now = clock.now()
      const cached = cache.get(origin)
      // A clock that was set back must not extend the day.
      if (cached && now < cached.until && cached.until - now <= KEPT_MS) return cached.robots
      if (cache.size >= ORIGINS_MAX) cache.clear()
      // The old rules hold while the new ones are read, and if they cannot be read.
      const before = cached?.robots ?? Promise.resolve(EVERYTHING_ALLOWED)
      const entry = { until: now + KEPT_MS, robots: before }
      entry.robots = fetchRobots(origin, agent, ask).then((read) => {
        if (read) return read
        entry.until = now + AGAIN_MS
        return before
      })
      cache.set(origin, entry)
      return await entry.robots
    },
  }
}

/** Undefined if the host does not answer, or answers with a server error. */
async function fetchRobots(origin: string, agent: string, ask: Ask): Promise<Robots | undefined> {
  let url = new URL('/robots.txt', origin)
  for (let n = 0; n <= REDIRECTS_MAX; n++) {
    const fetched = await ask(url, { maxBytes: BYTES_MAX })
    if (fetched.outcome !== 'answered') return undefined
    const { status, headers, body } = fetched
    if (status >= 200 && status < 300) return readRobots(new TextDecoder().decode(body), agent)
    const next = status < 400 ? URL.parse(headers.get('location') ?? '', url) : null
    if (!next) return status >= 500 || status === 429 ? undefined : EVERYTHING_ALLOWED
    url = next
  }
  return EVERYTHING_ALLOWED
}
