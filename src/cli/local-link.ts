import type { Config } from '../platform/config/config.ts'
import { note } from '../platform/terminal/terminal.ts'

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/

/** Servers that share a database can seldom be reached at this machine's default address. */
export function noteLocalLink({ database, baseUrl }: Pick<Config, 'database' | 'baseUrl'>): void {
  if (!database || !LOOPBACK.test(new URL(baseUrl).hostname)) return
  note(
    'The link only leads to this machine: name the address of your servers with --base-url or BECKON_BASE_URL.',
  )
}
