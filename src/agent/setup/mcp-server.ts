import { SERVER_NAME, type Wish } from './client-setup.ts'
import { ownEnvironment } from './environment.ts'
import { wordsOf } from './program.ts'

// Longer than any wait of the server.
export const TIMEOUT_MS = 90_000
export const TIMEOUT_S = 90
/** How long a client waits for a decision of a hook. */
export const DECISION_S = 600
export const DECISION_MS = DECISION_S * 1000
/** For hooks that only report; they answer in milliseconds. */
export const REPORT_S = 10
export const REPORT_MS = REPORT_S * 1000

/** How a client starts the bridge. The token is in none of it: the program has a file of its own. */
export function bridge({ program, place }: Pick<Wish, 'program' | 'place'>) {
  const [command, ...args] = wordsOf(program, 'mcp')
  return { command, args, env: ownEnvironment(place) }
}

/** The header that carries the token over HTTP; `said` stands in for it in files that are shared. */
export function authorization({ token, place }: Wish, said?: string) {
  const shown = place.project && said !== undefined ? said : token
  return { Authorization: `Bearer ${shown}` }
}

/** The server in the list of servers that most clients have. */
export function mcpServer(value: object, under = 'mcpServers') {
  return [{ at: [under, SERVER_NAME], value }]
}
