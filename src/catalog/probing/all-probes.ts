import type { Probe } from '../facts/fact.ts'
import { FACT_PROBES } from '../facts/facts.ts'
import { MCP_PROBE } from '../facts/mcp-tools/fact.tsx'
import { X402_PROBES } from '../facts/x402/fact.ts'

/** Every kind of measurement beside the one of whether a tool answers, in the order they run. */
export const ALL_PROBES: readonly Probe[] = [MCP_PROBE, ...FACT_PROBES, ...X402_PROBES]
