import type { Clock } from '../../../src/platform/clock.ts'
import {
  type CertificateFiles,
  certificateFiles,
  type KeptCertificate,
} from '../../../src/platform/https/certificate-files.ts'
import { type Keeper, keepCertificate } from '../../../src/platform/https/keep-certificate.ts'
import { openChallengePort } from '../../../src/platform/https/serve-https.ts'
import type { Log } from '../../../src/platform/log.ts'
import {
  createGuardedFetch,
  type GuardedFetch,
} from '../../../src/platform/outgoing/guarded-fetch.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const SECONDS_MS = 10_000

/** A clock that runs, and can be set. Waits of seconds are over sooner; others count as awaited. */
type SetClock = Clock & { set(aheadMs: number): void; isAwaited(): boolean }

function setClock(): SetClock {
  let ahead = 0
  const waiting = new Set<{ at: number; wake: () => void }>()
  const now = () => Date.now() + ahead
  return {
    now,
    elapsed: () => performance.now(),
    after(ms, wake) {
      const one = { at: now() + ms, wake: () => {} }
      const timer = setTimeout(() => one.wake(), ms > SECONDS_MS ? ms : ms / 100)
      one.wake = () => {
        clearTimeout(timer)
        waiting.delete(one)
        wake()
      }
      waiting.add(one)
      return () => {
        clearTimeout(timer)
        waiting.delete(one)
      }
    },
    isAwaited: () => [...waiting].some(({ at }) => at - now() > SECONDS_MS),
    set(aheadMs) {
      ahead = aheadMs
      for (const one of [...waiting]) if (one.at <= now()) one.wake()
    },
  }
}

type Authority = { directory: string; ca: string; httpPort: number }

export type KeeperWorld = AsyncDisposable & {
  folder: string
  files: CertificateFiles
  clock: SetClock
  /** What was served with, in order. */
  used: KeptCertificate[]
  /** Each line of the log. */
  lines: string[]
  /** How many orders were asked for. */
  orders(): number
  /** Whether nothing is asked for, and the keeper waits for the time of the next look. */
  isIdle(): boolean
  /** The guarded way to the authority. */
  fetch: GuardedFetch['fetch']
  /** Starts the keeper, over the folder as it is. */
  start(more?: { fetch?: GuardedFetch['fetch']; files?: CertificateFiles }): Keeper
}

// Where pebble takes them.
const NEW_ORDER = '/order-plz'

export const NAMES = ['beckon.example.com']

/** A keeper and its port for challenges over a folder of its own, at a real authority. */
export function keeperWorld(
  { directory, ca, httpPort }: Authority,
  { domains = NAMES, port = httpPort }: { domains?: string[]; port?: number } = {},
): KeeperWorld {
  const folder = tempFolder()
  const clock = setClock()
  const challenges = new Map<string, string>()
  const [used, lines]: [KeptCertificate[], string[]] = [[], []]
  const write = (message: string, fields?: object) =>
    void lines.push(`${message} ${JSON.stringify(fields)}`)
  const log: Log = { debug: write, info: write, warn: write, error: write }
  const guard = createGuardedFetch({ allowPrivateHosts: ['127.0.0.1'], ca })
  let orders = 0
  let asking = 0
  const fetch: typeof guard.fetch = async (url, request) => {
    if (url.endsWith(NEW_ORDER)) orders++
    asking++
    try {
      return await guard.fetch(url, request)
    } finally {
      asking--
    }
  }
  const files = certificateFiles(folder.path)
  const baseUrl = `https://${domains[0]}`
  const plain = openChallengePort({ host: '127.0.0.1', port, baseUrl, domains, challenges })
  const started: Keeper[] = []
  return {
    ...{ folder: folder.path, files, clock, used, lines, fetch },
    orders: () => orders,
    isIdle: () => asking === 0 && clock.isAwaited(),
    start(more = {}) {
      const keeper = keepCertificate({
        ...{ directory, domains, contact: 'ada@example.com', files, clock, challenges, log },
        ...{ fetch, use: (one: KeptCertificate) => void used.push(one) },
        ...more,
      })
      started.push(keeper)
      return keeper
    },
    async [Symbol.asyncDispose]() {
      for (const one of started) await one[Symbol.asyncDispose]()
      await plain.stop(true)
      folder[Symbol.dispose]()
    },
  }
}
