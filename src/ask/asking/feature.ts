import type { Clock } from '../../platform/clock.ts'
import type { Config } from '../../platform/config/config.ts'
import type { AgreedTime } from '../../platform/db/agreed-time.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Feature } from '../feature.ts'
import { noteCutOff } from './cut-off.ts'
import { keepTallying } from './tally-questions.ts'

type Deps = {
  config: Pick<Config, 'database'>
  db: Db
  clock: Clock
  agreedTime: AgreedTime
  /** Names this process among those that share the database. */
  holder: string
}

/** Questions opened by agents. */
export function asking(deps: Deps): Feature {
  // Other servers on the same database go on.
  const forOneServer: NonNullable<Feature['jobs']> = deps.config.database
    ? []
    : [(report) => noteCutOff(deps, report)]
  return { jobs: [...forOneServer, (report) => keepTallying(deps, report)] }
}
