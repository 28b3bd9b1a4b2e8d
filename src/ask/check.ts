/** The links between an agent and a person, in the order in which they are checked. */
export const LINKS = ['configuration', 'storage', 'server', 'address', 'push', 'people'] as const
export type Link = (typeof LINKS)[number]

export const STATES = ['ok', 'warn', 'fail', 'skip'] as const
export type State = (typeof STATES)[number]

/** The result of one check. */
export type Check = {
  name: string
  link: Link
  state: State
  /** The finding, in a sentence. */
  said: string
  /** The same where there are several of a kind: a sentence each. */
  each?: string[]
  /** The cure; absent if nothing is wrong. */
  cure?: string
  /** Nothing is wrong with it: it was not set up, or not used, so far. */
  notYet?: true
  /** It is about one of many of a kind. */
  of?: 'device'
}

/** Exit codes of `beckon doctor`, part of its contract: the first broken link decides. */
const EXIT_CODES: Record<Link, number> = {
  configuration: 2,
  storage: 3,
  server: 4,
  address: 5,
  push: 6,
  people: 7,
}

/** 0 if nothing fails; warnings are not failures. */
export function exitCodeOf(checks: readonly Check[]): number {
  const broken = LINKS.find((link) =>
    checks.some((check) => check.link === link && check.state === 'fail'),
  )
  return broken === undefined ? 0 : EXIT_CODES[broken]
}

export function passedCheck(link: Link, name: string, message: string): Check {
  return { name, link, state: 'ok', said: message }
}

export function failedCheck(link: Link, name: string, message: string, cure: string): Check {
  return { name, link, state: 'fail', said: message, cure }
}

export function warnedCheck(link: Link, name: string, message: string, cure: string): Check {
  return { name, link, state: 'warn', said: message, cure }
}

// More of a kind are counted.
const EACH_MAX = 5

/** A warning about several of a kind, with a sentence each. */
export function warnedOfEach(
  link: Link,
  name: string,
  sentences: readonly string[],
  cure: string,
): Check {
  const more = sentences.length - EACH_MAX
  const each = [...sentences.slice(0, EACH_MAX), ...(more > 0 ? [`${more} more like that.`] : [])]
  return { ...warnedCheck(link, name, each.join(' '), cure), each }
}

export function skippedCheck(link: Link, name: string, message: string): Check {
  return { name, link, state: 'skip', said: message }
}

/** The same check about something that was not set up, or not used, so far. */
export function notYet(check: Check): Check {
  return { ...check, notYet: true }
}
