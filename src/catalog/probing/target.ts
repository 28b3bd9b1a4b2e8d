import type { ProbeTarget } from '../measured/live-probe.ts'
import type { AuthoredTool } from '../records/authored.ts'

/**
 * What is asked whether a tool is there, and how: what its record says, else the address that
 * callers use. Undefined for what has no address, and for what is never to be measured.
 */
export function targetOf({
  probe = {},
  remoteUrl,
  transports,
}: AuthoredTool): ProbeTarget | undefined {
  const target = probe.target ?? remoteUrl
  if (probe.off || target === undefined) return undefined
  const isMcp = target === remoteUrl && transports?.includes('streamable-http')
  return { target, method: probe.method ?? (isMcp ? 'mcp' : 'GET') }
}
