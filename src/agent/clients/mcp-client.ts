import { isFields } from '../../platform/mcp/message.ts'
import { cleanLine, cutText } from '../../platform/text.ts'
import { CLIENTS } from './clients.ts'

const AGENT_NAME_MAX = 100

/** "{Agent} - {project}". */
export function agentNameOf(
  client: string | undefined,
  project: string | undefined,
): string | undefined {
  if (client === undefined) return undefined
  return cutText(project === undefined ? client : `${client} - ${project}`, AGENT_NAME_MAX)
}

/** Returns the name by which people know the client of a handshake. */
export function clientTitle(clientInfo: unknown): string | undefined {
  if (!isFields(clientInfo)) return undefined
  const name = lineOf(clientInfo.name)
  const client = CLIENTS.find(({ mcpName }) => mcpName === name && name !== undefined)
  return lineOf(clientInfo.title) ?? client?.title ?? name
}

/** The folder's name on one line; undefined when it has none. */
export function lineOf(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  return cutText(cleanLine(value.slice(0, 4 * AGENT_NAME_MAX)), AGENT_NAME_MAX) || undefined
}
