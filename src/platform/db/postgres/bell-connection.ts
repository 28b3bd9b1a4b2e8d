import { SQL } from 'bun'
import type { Topic } from '../change-bus.ts'
import { databaseOf } from './pool.ts'

/** One channel for all: PostgreSQL wakes every listener whatever its channel. */
export const CHANNEL = 'beckon_changes'

/** What one notification says. */
export type Told = {
  from: string
  changes: ReadonlyArray<readonly [Topic, string]>
  /** Some changes could not be told: look at everything. */
  all?: true
  /** Sent to oneself, to see whether notifications still arrive. */
  beat?: true
}

const CONNECT_SECONDS = 5

export function connectBell(url: string): SQL {
  return new SQL(url, {
    ...databaseOf(url),
    max: 1,
    connectionTimeout: CONNECT_SECONDS,
    // A change is a hint about what is on disk already: telling it waits for no disk.
    connection: { application_name: 'beckon changes', synchronous_commit: 'off' },
  })
}
