import type { ToolDefinition } from '../../../platform/mcp/tool-fingerprint.ts'

/** A listed tool with its hash; null: too large to be compared in parts. */
export type HashedTool = { name: string; hash: string; definition: ToolDefinition | null }

/** A list of tools as it was read; not whole: it broke off. */
export type ToolList = { url: string; tools: readonly HashedTool[]; isWhole: boolean }
