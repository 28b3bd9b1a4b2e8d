import canonicalize from 'canonicalize'
import { sha256 } from '../signing/sha256.ts'

/** The members of a tool that a model is shown, and by which it is recognised. */
export type ToolDefinition = {
  name: string
  title?: unknown
  description?: unknown
  inputSchema?: unknown
  outputSchema?: unknown
  annotations?: unknown
}

/** The part of a listed tool that its fingerprint covers. */
export function definitionOf(tool: ToolDefinition): ToolDefinition {
  const { name, title, description, inputSchema, outputSchema, annotations } = tool
  const all = { name, title, description, inputSchema, outputSchema, annotations }
  return JSON.parse(JSON.stringify(all)) as ToolDefinition
}

/**
 * SHA-256, in hex, of a tool and the server that lists it: the same words from another server are
 * another tool. Throws for values that are nested too deeply.
 */
export function fingerprintOf(server: string, tool: ToolDefinition): string {
  return sha256(canonicalize({ server, tool }) ?? '')
}
