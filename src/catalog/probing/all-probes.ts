import { FACT_PROBES } from '../facts/fact-probes.ts'
import { X402_PROBES } from '../facts/x402/x402-probe.ts'
import { MCP_PROBE } from './mcp-probe.ts'
import type { Probe } from './probe.ts'

/** Every kind of measurement beside the one of whether a tool answers, in the order they run. */
export const ALL_PROBES: readonly Probe[] = [MCP_PROBE, ...FACT_PROBES, ...X402_PROBES]
