import { SQL } from 'bun'
import type { Topic } from '../change-bus.ts'
import { databaseOf, GONE_IN_A_MINUTE, type Query } from './pool.ts'

/** One channel for everything, because PostgreSQL wakes every listener whatever its channel. */
export const CHANNEL = 'beckon_changes'

/** The content of one notification. */
export type ChangeMessage = {
  from: string
  changes: ReadonlyArray<readonly [Topic, string]>
  /** Some changes could not be sent, so listeners should check everything. */
  all?: true
  /** Sent to this process itself, to check that notifications still arrive. */
  beat?: true
}

const CONNECT_SECONDS = 5

export function connectForNotify(url: string): SQL {
  return new SQL(url, {
    ...databaseOf(url),
    max: 1,
    connectionTimeout: CONNECT_SECONDS,
    // A change is only a hint about data that is on disk already, so sending it need not wait for
    // the disk.
    connection: {
      application_name: 'beckon changes',
      synchronous_commit: 'off',
      ...GONE_IN_A_MINUTE,
    },
  })
}

/**
 * The addresses from which servers listen, as PostgreSQL sees them. Each server has one connection
 * that receives changes, without a pooler in between.
 */
export async function listeningServers(query: Query): Promise<string[]> {
  return (await query(LISTENING, [])).map(([address]) => String(address))
}

/** `2 Beckon servers (10.0.0.4, 10.0.0.5) use`; `servers` comes from `listeningServers`. */
export function serversFrom(servers: readonly string[]): string {
  const places = [...new Set(servers)].join(', ')
  if (servers.length === 1) return `A Beckon server (${places}) uses`
  return `${servers.length} Beckon servers (${places}) use`
}

// A connection over a local socket has no address.
const LISTENING = `select coalesce(host(client_addr), 'its own machine') as address
  from pg_stat_activity where datname = current_database() and application_name = 'beckon changes'
  and query ilike 'listen%' order by 1`
