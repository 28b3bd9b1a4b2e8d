/** How much, and for how long. */
export type Amounts = {
  /** Calls that wait for a person, all the time. */
  held: number
  /** Devices with Web Push. */
  subscribers: number
  /** Pages that follow what happens. */
  pages: number
  /** Asks that come as fast as they can, every `burstEvery` seconds. */
  burst: number
  burstEvery: number
  /** Answers a second. */
  answers: number
  /** Seconds between two notifications to every device. */
  everyone: number
  seconds: number
}

/** What is promised (docs/testing.md). */
export const FULL: Amounts = {
  held: 10_000,
  subscribers: 1_000,
  pages: 500,
  burst: 5_000,
  burstEvery: 30,
  answers: 40,
  everyone: 20,
  seconds: 300,
}

/** The same in a few seconds, for every run of the tests. */
export const SMALL: Amounts = {
  held: 200,
  subscribers: 20,
  pages: 20,
  burst: 100,
  burstEvery: 2,
  answers: 40,
  everyone: 2,
  seconds: 5,
}

/** What the generator is told. */
export type GeneratorPlan = Amounts & {
  url: string
  /** Each may call so often; together they may call as often as the server can. */
  tokens: string[]
  /** Cookies of people who are signed in. */
  cookies: string[]
  /** Where it writes what it was told. */
  told: string
}

/** Of a page's person at most fifty are followed at once; this many are far below. */
const PAGES_EACH = 25
const CALLS_EACH = 40

export const peopleFor = ({ pages }: Amounts) => Math.max(2, Math.ceil(pages / PAGES_EACH))
export const tokensFor = ({ held }: Amounts) => Math.max(20, Math.ceil(held / CALLS_EACH))

/** A device is named by its person outside, so that an ask goes to one and not to all. */
export const externalId = (n: number) => `person-${n}`
