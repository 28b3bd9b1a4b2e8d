import type { Config } from '../platform/config/config.ts'
import { isLoopbackHost } from '../platform/config/origins.ts'
import { note } from '../platform/terminal/terminal.ts'

/** Servers that share a database can seldom be reached at this machine's default address. */
export function noteLocalLink({ database, baseUrl }: Pick<Config, 'database' | 'baseUrl'>): void {
  if (!database || !isLoopbackHost(new URL(baseUrl).hostname)) return
  note(
    'The link only leads to this machine: name the address of your servers with --base-url or BECKON_BASE_URL.',
  )
}
