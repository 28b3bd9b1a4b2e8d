import type { Clock } from '../clock.ts'
import { Failure } from '../failure.ts'
import type { Log } from '../log.ts'
import { storageFailure } from './storage-failure.ts'

// All background jobs use the same database, about every second.
const LOG_EVERY_MS = 60_000

/**
 * Logs errors of background work. That the database is unavailable is logged once a minute for all
 * jobs.
 */
export function reportTo(log: Log, clock: Clock): (error: unknown) => void {
  let loggedAt = Number.NEGATIVE_INFINITY
  return (raw) => {
    const error = storageFailure(raw)
    if (!(error instanceof Failure) || error.code !== 'unavailable') {
      return log.error('work in the background failed', { error })
    }
    if (clock.now() - loggedAt < LOG_EVERY_MS) return
    loggedAt = clock.now()
    log.error('work in the background waits for the database', { error })
  }
}
