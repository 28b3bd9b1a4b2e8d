import { isObject } from '../fields.ts'

/** What servers and clients of MCP are built with. */
const SDKS = [
  '@modelcontextprotocol/sdk',
  '@modelcontextprotocol/server',
  'fastmcp',
  'mcp-framework',
]

/**
 * An MCP server says so itself (`mcpName`), or is a program that stands on an SDK for one; a
 * library that stands on it is a framework, and so is everything else.
 */
export function kindOf(manifest: Record<string, unknown>): 'mcp' | 'framework' {
  if (typeof manifest.mcpName === 'string' && manifest.mcpName !== '') return 'mcp'
  const standsOn = isObject(manifest.dependencies) ? manifest.dependencies : {}
  const isServer = isProgram(manifest) && SDKS.some((sdk) => Object.hasOwn(standsOn, sdk))
  return isServer ? 'mcp' : 'framework'
}

/** Whether it brings a command. */
export function isProgram({ bin }: Record<string, unknown>): boolean {
  return (typeof bin === 'string' && bin !== '') || (isObject(bin) && Object.keys(bin).length > 0)
}
