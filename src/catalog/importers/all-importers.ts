import type { Importer } from './importer.ts'
import { MCP_REGISTRY } from './mcp-registry/importer.ts'
import { MODELS_DEV } from './models/importer.ts'
import { NPM } from './npm/importer.ts'
import { OPENAPI } from './openapi/importer.ts'
import { OTHER_CATALOG } from './other-catalog/importer.ts'
import { RETIREMENT } from './retirement/importer.ts'
import { X402_DISCOVERY } from './x402/discovery.ts'
import { X402_PARTNERS } from './x402/partners.ts'

/**
 * Every kind of source; the first that recognises a source reads it. A new kind is one folder and
 * one line here.
 */
export const IMPORTERS: readonly Importer[] = [
  MCP_REGISTRY,
  NPM,
  X402_DISCOVERY,
  X402_PARTNERS,
  OTHER_CATALOG,
  RETIREMENT,
  MODELS_DEV,
  OPENAPI,
]
