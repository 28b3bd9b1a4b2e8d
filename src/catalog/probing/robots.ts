/**
 * What a robots.txt says to us (RFC 9309). Not `robots-parser`: a hostile file of 256 KB keeps it
 * busy for two seconds for each path, and this for 15 ms.
 */
export type Robots = {
  /** Whether a path with its query may be asked for. */
  allows(path: string): boolean
}

export const EVERYTHING_ALLOWED: Robots = { allows: () => true }

// A site has no use for more, and each is tried for each path.
const RULES_MAX = 500
const PATTERN_MAX = 500
const STARS_MAX = 20

type Rule = { allow: boolean; pattern: string; parts: string[]; ends: boolean }

/**
 * The rules for `agent`, a name without version, whatever its case; those for `*` where nobody
 * wrote to it by name. The longest rule that fits decides, and `allow` where two are as long.
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
    const said = value.trim()
    if (/^user-agent$/i.test(field)) {
      if (inRules) names = []
      inRules = false
      names.push(nameIn(said))
      for (const name of names) groups.set(name, groups.get(name) ?? [])
    } else if (/^(dis)?allow$/i.test(field)) {
      inRules = true
      const ends = said.endsWith('$')
      const parts = (ends ? said.slice(0, -1) : said).split('*')
      if (said === '' || said.length > PATTERN_MAX || parts.length > STARS_MAX) continue
      const rule = { allow: /^allow$/i.test(field), pattern: said, parts, ends }
      for (const name of new Set(names)) groups.get(name)?.push(rule)
    }
  }
  return (groups.get(agent) ?? groups.get('*') ?? []).slice(0, RULES_MAX)
}

/** `Beckon/1.0 (…)` names `beckon`. */
function nameIn(said: string): string {
  return said === '*' ? '*' : (/^[a-z_-]+/i.exec(said)?.[0] ?? '').toLowerCase()
}

/** `*` stands for anything, `$` at the end for the end; never slower than both lengths multiplied. */
function fits({ parts, ends }: Rule, path: string): boolean {
  const [first = '', ...rest] = parts
  if (!path.startsWith(first)) return false
  const last = ends ? rest.pop() : undefined
  let at = first.length
  for (const part of rest) {
    const found = path.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  if (!ends) return true
  if (last === undefined) return at === path.length
  return path.length - last.length >= at && path.endsWith(last)
}
