import type { Target } from './target.ts'
import { MCP } from './targets/mcp.ts'
import { ROUTES } from './targets/routes.ts'

/** Everything that reads what others wrote; one more is a row in one of these lists. */
export const TARGETS: readonly Target[] = [...MCP, ...ROUTES]
