import { EXIT } from '../../platform/command.ts'
import { FAILURES_MOST, FAILURES_WITHIN_SECONDS } from './manager.ts'

/**
 * Decides after each failure, by its exit code and the time in milliseconds, why the server is not
 * started again; undefined if it is. systemd has the same rules in the unit.
 */
export function createRestarts(): (exitCode: number | null, now: number) => string | undefined {
  const failures: number[] = []
  return (exitCode, now) => {
    if (exitCode === EXIT.wrongUsage) return 'Settings that are wrong stay wrong.'
    failures.push(now)
    while ((failures[0] ?? now) <= now - FAILURES_WITHIN_SECONDS * 1_000) failures.shift()
    if (failures.length < FAILURES_MOST) return undefined
    return `It failed ${FAILURES_MOST} times within an hour.`
  }
}
