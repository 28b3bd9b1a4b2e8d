import { SQL } from 'bun'
import type { Topic } from '../change-bus.ts'
import { databaseOf, GONE_IN_A_MINUTE, type Query } from './pool.ts'

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
    connection: {
      application_name: 'beckon changes',
      synchronous_commit: 'off',
      ...GONE_IN_A_MINUTE,
    },
  })
}

/**
 * The addresses that servers listen from, as PostgreSQL sees them: each has one connection that
 * hears changes, and no pooler is in between there.
 */
export async function listeningServers(query: Query): Promise<string[]> {
  return (await query(LISTENING, [])).map(([address]) => String(address))
}

/** `2 Beckon servers (10.0.0.4, 10.0.0.5) use`; `servers` as `listeningServers` gives them. */
export function serversFrom(servers: readonly string[]): string {
  const places = [...new Set(servers)].join(', ')
  if (servers.length === 1) return `A Beckon server (${places}) uses`
  return `${servers.length} Beckon servers (${places}) use`
}

// Over a socket of the machine there is no address.
const LISTENING = `select coalesce(host(client_addr), 'its own machine') as address
  from pg_stat_activity where datname = current_database() and application_name = 'beckon changes'
  and query ilike 'listen%' order by 1`
