import type { Candidate, Spelled } from './candidate.ts'
import { compilePattern, endsInName, type Pattern } from './glob.ts'
import { isAscii, type Spelling } from './spelling.ts'

/** Whether a rule covers a path; with `tree`, the path and all that is below it. */
export type Covers = (candidate: Candidate, touch: { tree: boolean }) => boolean

/**
 * A rule of what is off limits, read as widely as it may be meant: whatever the case; what begins
 * with `**` anywhere on the machine; what begins with `/` from the root of the project too. A
 * whole tree is touched when the rule names anything in it.
 */
export function forbids(rule: string): Covers {
  const glob = wholeRule(rule)
  const patterns = spellings(glob)
  const floating = glob.startsWith('**') ? spellings(`/${glob}`) : undefined
  const rooted = glob.startsWith('/') ? spellings(glob.slice(1)) : undefined
  return ({ own, joined }, { tree }) => {
    const touches = (pattern: Pattern, path: Spelled, how: Spelling) =>
      pattern.matches(path[how]) || (tree && pattern.reachesBelow(path[how]))
    const { absolute, segments } = own.exact
    if (some(patterns, own, touches)) return true
    if (floating) return absolute && some(floating, own, touches)
    if (!rooted || absolute) return false
    // Every absolute rule is below `/`: what is done to a whole project says nothing of it.
    const below = segments.length > 0 && some(rooted, own, touches)
    return below || joined.some((path) => some(patterns, path, touches))
  }
}

/**
 * A rule of what is allowed, read narrowly: below every root that the path may lie in when it is
 * absolute, and a whole tree only when all of it is.
 */
export function allows(rule: string, fold: boolean): Covers {
  const glob = wholeRule(rule)
  const patterns = spellings(glob, fold ? ['simple', 'full'] : ['exact'])
  return ({ own, joined }, { tree }) => {
    const has = (pattern: Pattern, path: Spelled, how: Spelling) =>
      pattern.matches(path[how]) && (!tree || pattern.deep)
    if (some(patterns, own, has)) return true
    return joined.length > 0 && joined.every((path) => some(patterns, path, has))
  }
}

// A name at the end stands for the file, or for the folder and all that is in it.
function wholeRule(rule: string): string {
  return endsInName(rule) ? `${rule}/**` : rule
}

type Patterns = { ascii: boolean; of(how: Spelling): Pattern; hows: Spelling[] }

// Sets that say what is not in them match less when case is left out, so `exact` counts as well.
function spellings(
  glob: string,
  hows: Spelling[] = glob.includes('[') ? ['exact', 'simple', 'full'] : ['simple', 'full'],
): Patterns {
  const made = new Map<Spelling, Pattern>()
  const of = (how: Spelling) => {
    const pattern = made.get(how) ?? compilePattern(glob, how)
    made.set(how, pattern)
    return pattern
  }
  return { ascii: isAscii(glob), of, hows }
}

function some(
  { ascii, of, hows }: Patterns,
  path: Spelled,
  test: (pattern: Pattern, path: Spelled, how: Spelling) => boolean,
): boolean {
  return hows.some((how) => {
    const same = how === 'full' && ascii && path.ascii
    return !same && test(of(how), path, how)
  })
}
