import type { Clock } from '../../platform/clock.ts'
import { pause } from './pause.ts'

/** One request in flight a host, with a pause between two, and rest for a host that asks for it. */
export type HostLanes = {
  /** Runs `job` when it is the turn of it; undefined when the host wants to be left alone. */
  inTurn<T>(host: string, job: () => Promise<T>): Promise<T | undefined>
  /** Nothing more for the host for so long. */
  rest(host: string, ms: number): void
  /** When a resting host may be asked again; undefined for one that is not resting. */
  restsUntil(host: string): number | undefined
}

type Lane = { tail: Promise<void>; queued: number; freeAt: number; restUntil: number }

// A host that asks for more is asked once a day all the same.
const REST_MOST_MS = 24 * 3_600_000
const LANES_MOST = 10_000

/** `signal` ends every pause. */
export function createHostLanes(clock: Clock, pauseMs: number, signal?: AbortSignal): HostLanes {
  const lanes = new Map<string, Lane>()

  function laneOf(host: string): Lane {
    const lane = lanes.get(host)
    if (lane) return lane
    if (lanes.size >= LANES_MOST) forgetIdle()
    const made = { tail: Promise.resolve(), queued: 0, freeAt: 0, restUntil: 0 }
    lanes.set(host, made)
    return made
  }

  function forgetIdle() {
    for (const [host, { queued, restUntil }] of lanes) {
      if (queued === 0 && restUntil <= clock.now()) lanes.delete(host)
    }
  }

  /** Milliseconds until then; a clock that was set back makes nobody wait longer than `most`. */
  const untilThen = (then: number, most: number) => Math.min(then - clock.now(), most)

  return {
    async inTurn(host, job) {
      const lane = laneOf(host)
      const before = lane.tail
      const { promise, resolve } = Promise.withResolvers<void>()
      lane.tail = promise
      lane.queued++
      try {
        await before
        const wait = untilThen(lane.freeAt, pauseMs)
        if (wait > 0) await pause(clock, wait, signal)
        if (clock.now() < lane.restUntil) return undefined
        const done = await job()
        lane.freeAt = clock.now() + pauseMs
        return done
      } finally {
        lane.queued--
        resolve()
      }
    },
    rest(host, ms) {
      laneOf(host).restUntil = clock.now() + Math.min(ms, REST_MOST_MS)
    },
    restsUntil(host) {
      const lane = lanes.get(host)
      if (!lane || lane.restUntil <= clock.now()) return undefined
      return clock.now() + untilThen(lane.restUntil, REST_MOST_MS)
    },
  }
}
