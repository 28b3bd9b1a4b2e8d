import type { Importer } from './importer.ts'
import { MCP_REGISTRY } from './mcp-registry/importer.ts'

/** Every kind of source; the first that recognises one reads it. */
export const IMPORTERS: readonly Importer[] = [MCP_REGISTRY]
