import canonicalize from 'canonicalize'
import { sha256 } from '../../platform/signing/sha256.ts'

type GateAction = {
  server: string
  tool: string
  /** The fingerprint that the server's list has now; null: the tool is not in it. */
  fingerprint: string | null
  argumentsHash: string
}

/** What the yes to a call through a gate is bound to. */
export function gateActionHash({ server, tool, fingerprint, argumentsHash }: GateAction): string {
  return sha256(canonicalize({ server, tool, fingerprint, argumentsHash }) ?? '')
}

/**
 * The digest of a tool call as a hook of its client reports it. Throws for what has no canonical form.
 */
export function toolCallHash(call: { tool: string; arguments: unknown }): string {
  return sha256(canonicalize(call) ?? '')
}

/** The name of a tool behind a gate, as rules and questions have it. */
export function gatedToolName(gate: string, tool: string): string {
  return `mcp__${gate}__${tool}`
}
