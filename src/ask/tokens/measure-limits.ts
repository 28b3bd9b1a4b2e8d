import type { Clock } from '../../platform/clock.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Metrics } from '../../platform/metrics.ts'
import type { Limited } from '../accounts/charge-token.ts'
import { recentAtNow, tokenLimits } from '../accounts/model/token-limits.ts'
import { listUsage } from '../accounts/model/usage-store.ts'
import { makeRoom } from '../retention/make-room.ts'

export type LimitDeps = {
  metrics: Metrics
  db: Db
  clock: Clock
  config: Pick<Config, 'tokens'>
}

// If `/metrics` is read often, the database is asked once in this time.
const KNOWN_MS = 5_000

/**
 * Measures how near the busiest tokens are to their limits and how often limits were reached; names
 * no token.
 */
export function measureLimits(deps: LimitDeps): Required<Limited> {
  const { metrics, clock } = deps
  const limits = tokenLimits(deps.config.tokens.limitFactor)
  let reading: { at: number; used: ReturnType<typeof readUsed> } | undefined
  metrics.figure({
    name: 'beckon_token_limit_used_ratio',
    kind: 'gauge',
    labels: ['limit'],
    help: 'How much of its limit the busiest token has used: 1 is all of it. Up to 5 seconds old.',
    read: () => {
      const at = clock.now()
      if (!reading || at - reading.at >= KNOWN_MS) reading = { at, used: readUsed(deps, at) }
      return reading.used
    },
  })
  const refused = metrics.counter({
    name: 'beckon_token_limit_refusals_total',
    help: 'Calls refused because their token had reached a limit.',
    labels: ['limit'],
  })
  const collapsed = metrics.counter({
    name: 'beckon_pushes_collapsed_total',
    help: 'Pushes that were combined with others into one, because a token sent too many to one person.',
  })
  const pushes = collapsed.series()
  return {
    limits,
    makeRoom,
    refused: (limit) => refused(limit),
    collapsed(number) {
      pushes.count += number
    },
  }
}

async function readUsed({ db, config }: LimitDeps, now: number) {
  const limits = tokenLimits(config.tokens.limitFactor)
  const all = await listUsage(db.read)
  const most = (of: (one: (typeof all)[number]) => number) =>
    all.reduce((high, one) => Math.max(high, of(one)), 0)
  return [
    [['open_questions'], most((one) => one.openQuestions / limits.openQuestions)],
    [['bytes_an_hour'], most((one) => recentAtNow(one, limits, now) / limits.bytesAnHour)],
    [['kept_bytes'], most((one) => one.keptBytes / limits.keptBytes)],
  ] as const
}
